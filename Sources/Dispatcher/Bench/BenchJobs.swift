import DispatchCore

/// The jobs that are measured: what an app sends on an ordinary day.
enum BenchJobs {
    /// An alert with a badge, a sound, a group, two data members, a collapse key and an expiry.
    static let alert = job(#""content":{\#(alertMembers)}"#)

    /// The same in three languages, the job's own among them.
    static let localized = job(
        """
        "content":{\(alertMembers),"localizations":{"de":{"title":"Einladung","body":"Abendessen am Freitag um acht?"},\
        "fr":{"title":"Invitation","body":"Dîner vendredi à huit heures ?"}}}
        """
    )

    /// The properties of the same alert, for devices that bring templates.
    static let properties = job(
        """
        "template":{"title":"Event invite","name":"Bob","body":"Dinner on Friday at eight?","unread":3,\
        "thread":"message-alice","location":"Aconcagua","height":6961}
        """
    )

    /// The languages of the devices of `localized`.
    static let locales = ["en-GB", "de-AT", "fr"]

    /// The moment of dispatch.
    static let now = Timestamp(seconds: 1_800_000_000)

    /// Reads one of the jobs above.
    static func decoded(_ text: String) throws -> SendJob {
        try SendJob(decoding: Array(text.utf8), messageID: nil)
    }

    /// What the worker renders the job with.
    static func context(of job: SendJob, locale: String? = nil) -> RenderContext {
        let expiry = job.options.expiry(acceptedAt: now)
        let options = PushOptions(notification: job.id, options: job.options, expiresAt: expiry)
        return RenderContext(options: options, now: now, locale: locale)
    }

    private static let alertMembers = """
        "title":"Event invite","body":"Dinner on Friday at eight?","badge":3,"sound":"default",\
        "category":"event-invite","thread":"message-alice","data":{"location":"Aconcagua","height":6961}
        """

    private static func job(_ payload: String) -> String {
        """
        {"id":"0193f2c4-7d1e-7abc-8def-0123456789ab","to":{"users":["alice"]},\(payload),\
        "options":{"priority":"high","expiresAt":"2027-01-16T08:00:00Z","collapseKey":"invite-7"}}
        """
    }
}
