# shellcheck shell=bash
# Sourced by the scripts that try a running API: `serve_up NAME` starts private servers, an empty schema and one
# `dispatcher serve`; `serve_down` ends them.

serve_pid=""

# Sets serve_url, serve_pid, serve_log and SERVE_SECRET, the secret of the key `tester` that may do everything.
serve_up() {
    local home=$root/.local/$1
    mkdir -p "$home"
    export DISPATCHER_STACK_DIR=$home/stack
    trap serve_down EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    scripts/local-stack up
    eval "$(scripts/local-stack env)"
    psql -Xq "$DISPATCHER_DATABASE_URL" -v ON_ERROR_STOP=1 \
        -c 'set client_min_messages = error' -c 'drop schema if exists dispatcher, dashboard cascade' >&2
    local program=$root/.build/release/dispatcher
    "$program" migrate >&2
    SERVE_SECRET=$("$program" keys create tester --rights listen,send,manage --json |
        /usr/bin/python3 -c 'import json, sys; print(json.load(sys.stdin)["primary"])')
    export SERVE_SECRET
    serve_log=$home/serve.log
    : >"$serve_log"
    DISPATCHER_HTTP_ADDRESS=127.0.0.1:0 "$program" serve 2>>"$serve_log" &
    serve_pid=$!
    local port="" tries=0
    until [[ -n $port ]]; do
        port=$(sed -n 's/.*event=serve.started port=\([0-9]*\).*/\1/p' "$serve_log")
        ((++tries < 200)) && kill -0 "$serve_pid" || { cat "$serve_log" >&2; return 1; }
        sleep 0.1
    done
    serve_url=http://127.0.0.1:$port
    export serve_url serve_pid serve_log
}

serve_down() {
    trap - EXIT
    if [[ -n $serve_pid ]]; then
        kill "$serve_pid" 2>/dev/null || true
        wait "$serve_pid" 2>/dev/null || true
        serve_pid=""
    fi
    scripts/local-stack down
}
