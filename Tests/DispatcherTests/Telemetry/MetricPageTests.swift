import DispatchCore
import Testing

@testable import Dispatcher

@Suite struct MetricPageTests {
    @Test("values stand under their labels, which are escaped")
    func samples() {
        var page = MetricPage()
        page.add(.jobs, [.init(["hi\"gh\\\n"], 3), .init(["bulk"], 0.5)])
        #expect(
            page.text == #"""
                # HELP dispatcher_jobs_total Jobs that were accepted, each once.
                # TYPE dispatcher_jobs_total counter
                dispatcher_jobs_total{lane="hi\"gh\\\n"} 3
                dispatcher_jobs_total{lane="bulk"} 0.5

                """#
        )
    }

    @Test("a histogram counts up to each bound, and all of it")
    func histogram() {
        var histogram = LatencyHistogram()
        for milliseconds in [0, 1, 2, 700, 90_000] { histogram.add(.milliseconds(milliseconds)) }
        var page = MetricPage()
        page.add(.gatewayTime, [([], histogram)])
        let lines = page.text.split(separator: "\n").dropFirst(2).map(String.init)
        #expect(lines.count == LatencyHistogram.bounds.count + 3)
        let name = "dispatcher_gateway_seconds"
        #expect(lines[0] == name + #"_bucket{le="0.001"} 2"#)
        #expect(lines[1] == name + #"_bucket{le="0.0025"} 3"#)
        #expect(lines[8] == name + #"_bucket{le="0.5"} 3"# && lines[9] == name + #"_bucket{le="1"} 4"#)
        #expect(lines.suffix(3) == [name + #"_bucket{le="+Inf"} 5"#, name + "_sum 90.703", name + "_count 5"])
    }

    @Test("names follow the rules of Prometheus, once each")
    func names() {
        #expect(Set(MetricFamily.all.map(\.name)).count == MetricFamily.all.count)
        for family in MetricFamily.all {
            #expect(family.name.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil, "\(family.name)")
            #expect(family.name.hasSuffix("_total") == (family.kind == .counter), "\(family.name)")
            #expect(family.kind != .histogram || family.name.hasSuffix("_seconds"), "\(family.name)")
        }
    }

    @Test("hands that make no step are stuck, as far as a step was possible")
    func stuck() {
        let watch = LaneWatch()
        let (busy, resting) = (watch.pulse("a"), watch.pulse("b"))
        busy.begin()
        resting.begin()
        resting.rest()
        let start = ContinuousClock.now
        #expect(watch.stuck(for: .seconds(60), since: start, now: start + .seconds(50)).isEmpty)
        #expect(watch.stuck(for: .seconds(60), since: start, now: start + .seconds(70)) == ["a"])
        #expect(watch.stuck(for: .seconds(60), since: start + .seconds(30), now: start + .seconds(70)).isEmpty)
    }

    @Test("hands that are lost are told, before and after somebody asks")
    func lost() async {
        let early = LaneWatch()
        early.lose("push.jobs.high")
        #expect(await early.loss() == "push.jobs.high" && early.lost == "push.jobs.high")
        let late = LaneWatch()
        async let loss = late.loss()
        late.lose("push.receipts")
        #expect(await loss == "push.receipts")
        let none = LaneWatch()
        async let nothing = none.loss()
        none.finish()
        #expect(await nothing == nil && none.lost == nil)
    }
}
