# shellcheck shell=bash
# Sourced by local-stack: free ports, remembered values and processes that are known by their id.

# Remembers a value of the stack under a name.
remember() {
    printf '%s\n' "$2" >"$stack/state/$1"
}

# Prints a remembered value; fails when there is none.
recall() {
    local value
    [[ -r $stack/state/$1 ]] && read -r value <"$stack/state/$1" && printf '%s\n' "$value"
}

port_answers() {
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# Prints the remembered port of a name when nobody listens there, else a new free one, and remembers it. Ports come from
# below the kernel's ephemeral range, so that no outgoing connection of this machine can take one in the meantime.
free_port() {
    local port
    port=$(recall "$1-port" || true)
    while [[ -z $port ]] || port_answers "$port"; do
        port=$((15000 + (RANDOM * 32768 + RANDOM) % 17000))
    done
    remember "$1-port" "$port"
    printf '%s\n' "$port"
}

# Waits until the port answers, as long as the process lives; fails after the given seconds.
wait_for_port() {
    local port=$1 pid=$2 deadline=$((SECONDS + $3))
    until port_answers "$port"; do
        ((SECONDS < deadline)) && kill -0 "$pid" 2>/dev/null || return 1
        sleep 0.05
    done
}

# A process id may have been given to another program since it was written down: it is ours only while its command line
# or its environment still names the stack's folder.
process_is_ours() {
    [[ -n ${1:-} && -d /proc/$1 ]] || return 1
    grep --quiet --text --fixed-strings -- "$2" "/proc/$1/cmdline" "/proc/$1/environ" 2>/dev/null
}

process_is_gone() {
    local state
    [[ -d /proc/$1 ]] || return 0
    # A zombie only waits for its parent to look; it holds no port and no file any more.
    state=$(sed -n 's/^State:\t\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null) || return 0
    [[ -z $state || $state == Z ]]
}

# Ends a process: the signals in turn, each with its seconds of patience ("TERM:30 KILL:5").
end_process() {
    local pid=$1 step deadline
    shift
    for step in "$@"; do
        process_is_gone "$pid" && return 0
        kill "-${step%%:*}" "$pid" 2>/dev/null || true
        deadline=$((SECONDS + ${step##*:}))
        until process_is_gone "$pid"; do
            ((SECONDS < deadline)) || break
            sleep 0.05
        done
    done
    process_is_gone "$pid"
}
