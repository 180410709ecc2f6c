/// A built-in type of the server, by its object identifier (`pg_type.dat`).
public struct PostgresType: Sendable, Hashable {
    /// The object identifier, the same in every database.
    public let oid: UInt32

    init(_ oid: UInt32) {
        self.oid = oid
    }

    /// `boolean`.
    public static let bool = PostgresType(16)
    /// `bytea`.
    public static let bytea = PostgresType(17)
    /// `bigint`.
    public static let int8 = PostgresType(20)
    /// `smallint`.
    public static let int2 = PostgresType(21)
    /// `integer`.
    public static let int4 = PostgresType(23)
    /// `text`.
    public static let text = PostgresType(25)
    /// `json`.
    public static let json = PostgresType(114)
    /// `double precision`.
    public static let float8 = PostgresType(701)
    /// `date`.
    public static let date = PostgresType(1082)
    /// `timestamptz`.
    public static let timestamptz = PostgresType(1184)
    /// `uuid`.
    public static let uuid = PostgresType(2950)
    /// `jsonb`.
    public static let jsonb = PostgresType(3802)

    /// `boolean[]`.
    public static let bools = PostgresType(1000)
    /// `bytea[]`.
    public static let byteas = PostgresType(1001)
    /// `smallint[]`.
    public static let int2s = PostgresType(1005)
    /// `integer[]`.
    public static let int4s = PostgresType(1007)
    /// `text[]`.
    public static let texts = PostgresType(1009)
    /// `bigint[]`.
    public static let int8s = PostgresType(1016)
    /// `double precision[]`.
    public static let float8s = PostgresType(1022)
    /// `timestamptz[]`.
    public static let timestamptzs = PostgresType(1185)
    /// `uuid[]`.
    public static let uuids = PostgresType(2951)
    /// `jsonb[]`.
    public static let jsonbs = PostgresType(3807)

    static let name = PostgresType(19)
    static let oid = PostgresType(26)
    static let unknown = PostgresType(705)
    static let bpchar = PostgresType(1042)
    static let varchar = PostgresType(1043)

    /// Object identifiers from here on belong to types made by users, such as enumerations.
    static let firstUserOID: UInt32 = 16384
}
