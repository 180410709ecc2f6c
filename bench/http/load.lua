-- What wrk sends: `wrk -s load.lua URL -- WORK FIRST AUTHORIZATION`. FIRST is the number of the first request, so that
-- no two runs send the same; AUTHORIZATION is a whole field, or "devices": then each request is a device's own.

local DEVICES = 100000
local MONTH = "2026-01-01T00:00:00Z"

function init(arguments)
    work, number, authorization = arguments[1], tonumber(arguments[2]), arguments[3]
    refused = 0
end

local function fields(device)
    local field = authorization
    if field == "devices" then field = "Bearer secret-of-device-" .. device end
    return { ["Authorization"] = field, ["Content-Type"] = "application/json" }
end

local requests = {}

-- A phone that was never seen.
function requests.registrations(n)
    local body = string.format(
        '{"platform":"apns","pushChannel":"%064d","userId":"user-%d","tags":["user:%d","segment:%d","lang:en"],'
            .. '"locale":"en-US","timeZone":"Europe/Berlin","permission":"authorized"}',
        n, math.floor(n / 2), math.floor(n / 2), n % 50)
    return wrk.format("PUT", "/api/installations/phone-" .. n, fields(), body)
end

-- Five hundred phones again and again, as at each start of an app.
function requests.renewals(n)
    return requests.registrations(n % 500)
end

-- Nothing that needs a database.
function requests.health()
    return wrk.format("GET", "/health")
end

-- A device says that a notification was read; each pair comes once.
function requests.receipts(n)
    local device, job = n % DEVICES, math.floor(n / DEVICES)
    local body = string.format('{"notificationId":"00000000-0000-7000-8000-%012x","kind":"read","at":"%s"}', job, MONTH)
    return wrk.format("POST", "/api/receipts", fields(device), body)
end

-- A device fetches the content of the last notification, 10 KiB.
function requests.content(n)
    return wrk.format("GET", "/api/notifications/00000000-0000-7000-8000-000000000000", fields(n * 7919 % DEVICES))
end

-- A device reads the first page of its user's inbox.
function requests.inbox(n)
    return wrk.format("GET", "/api/inbox?limit=20", fields(n * 7919 % DEVICES))
end

function request()
    local text = requests[work](number)
    number = number + 1
    return text
end

function response(status)
    if status >= 300 then
        refused = refused + 1
        if refused == 1 then io.stderr:write("load: " .. work .. " was answered " .. status .. "\n") end
    end
end

function done(summary, latency)
    local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
    print(string.format('{"requests":%d,"seconds":%f,"refused":%d,"failed":%d,"p50_ms":%f,"p99_ms":%f,"bytes":%d}',
        summary.requests, summary.duration / 1e6, summary.errors.status, failed, latency:percentile(50) / 1000,
        latency:percentile(99) / 1000, summary.bytes))
end
