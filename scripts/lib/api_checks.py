"""A check for schemathesis: what the document allows is served, or refused for a reason that no schema can say.

It takes the place of `positive_data_acceptance`, which knows statuses only. The reasons are told apart by the `code` of the
problem document, so that a document that forgets a rule of its own is still found.
"""

import schemathesis

# The state of the hub, or who the caller is, decides.
OF_STATE = {401, 403, 404, 409, 412, 429}
# What the words of the document say and a schema cannot.
BEYOND_SCHEMA = {
    "badExpression": "the grammar of tag expressions",
    "badTemplate": "the language of templates, and what a platform can be sent",
    "idMismatch": "an id in the body is that of the path",
    "unsendable": "no platform can be sent this",
    "notAvailable": "something that the hub is not set up for",
    "conflictingMembers": "members that exclude one another",
    "tooLong": "lengths are counted in bytes",
}


@schemathesis.check
def valid_data_is_served(ctx, response, case):
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code < 400:
        return None
    if response.status_code in OF_STATE or response.status_code >= 500:
        return None
    problem = response.json()
    if problem["code"] in BEYOND_SCHEMA:
        return None
    # U+0000 can be written in JSON, but not stored.
    if problem["code"] == "invalidJSON" and "nulCharacter" in problem["detail"]:
        return None
    raise AssertionError(f"a valid request is refused: {problem}")
