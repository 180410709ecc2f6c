import AMQP
import DispatchCore

/// A message's headers as JSON, for people to read.
enum HeaderText {
    /// More than this is somebody's mistake and nothing to keep.
    private static let limit = 16 * 1024

    /// Nil when there are none; only their size when there is too much of them.
    static func json(_ headers: [String: AMQPValue]) -> String? {
        guard !headers.isEmpty else { return nil }
        var writer = JSONWriter()
        write(headers, to: &writer)
        guard writer.bytes.count <= limit else { return #"{"omittedBytes":\#(writer.bytes.count)}"# }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func write(_ table: [String: AMQPValue], to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, value) in table.sorted(by: { $0.key < $1.key }) {
            writer.key(name)
            write(value, to: &writer)
        }
        writer.endObject()
    }

    private static func write(_ value: AMQPValue, to writer: inout JSONWriter) {
        switch value {
        case .string(let text): writer.string(text)
        case .int(let number), .timestamp(let number): writer.number(number)
        case .bool(let flag): writer.bool(flag)
        case .double(let number): writer.string("\(number)")
        case .bytes(let bytes): writer.string(String(decoding: bytes, as: UTF8.self))
        case .null: writer.null()
        case .table(let table): write(table, to: &writer)
        case .array(let values):
            writer.beginArray()
            for value in values { write(value, to: &writer) }
            writer.endArray()
        }
    }
}
