import Testing

@testable import Dispatcher

@Suite struct ArgumentListTests {
    @Test("flags, options and positionals are taken in any order, and nothing is left")
    func taken() throws {
        var list = ArgumentList(["--json", "ID", "--wait", "5", "--name=x=y"])
        let flags = [list.flag("--json"), list.flag("--json")]
        #expect(flags == [true, false])
        let wait = try list.integer("--wait", in: 0...10)
        #expect(wait == 5)
        let names = [try list.option("--name"), try list.option("--name")]
        #expect(names == ["x=y", nil])
        let id = try list.positional("ID")
        #expect(id == "ID")
        try list.finish()
    }

    @Test("a lone dash is a positional")
    func dash() throws {
        var list = ArgumentList(["-"])
        let positionals = [list.optionalPositional(), list.optionalPositional()]
        #expect(positionals == ["-", nil])
        try list.finish()
    }

    @Test(
        "what is wrong is named",
        arguments: [
            ["--wait"], ["--wait", "x"], ["--wait", "11"], ["--wait", "-1"], ["--wait="], ["--other"], [],
        ]
    )
    func refused(arguments: [String]) {
        var list = ArgumentList(arguments)
        let error = #expect(throws: UsageError.self) {
            _ = try list.integer("--wait", in: 0...10)
            _ = try list.positional("ID")
            try list.finish()
        }
        #expect(error?.message.isEmpty == false)
    }

    @Test("a subcommand word is only taken at the front")
    func word() {
        var list = ArgumentList(["list", "show"])
        let words = [list.word("show"), list.word("list"), list.word("show")]
        #expect(words == [false, true, true])
    }

    @Test("what stands behind “--” is never an option")
    func separator() throws {
        var list = ArgumentList(["--", "--json"])
        let isJSON = list.flag("--json")
        #expect(!isJSON)
        let file = try list.positional("FILE")
        #expect(file == "--json")
        try list.finish()
    }
}
