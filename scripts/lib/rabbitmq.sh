# shellcheck shell=bash
# Sourced by local-stack: one private RabbitMQ node, or several as a cluster, with its own Erlang port mapper.

# Debian's /usr/sbin wrappers change the user and drop the environment, so the programs behind them are called.
readonly rabbit_programs=/usr/lib/rabbitmq/bin
readonly rabbit_loopback='-kernel inet_dist_use_interface {127,0,0,1}'

rabbit_node_count() {
    recall rabbit-nodes
}

# The id of a node's Erlang machine, or of the port mapper, when it still is ours.
rabbit_pid() {
    local pid
    pid=$(recall "$1-pid") || return 1
    process_is_ours "$pid" "$stack/rabbitmq" && printf '%s\n' "$pid"
}

rabbit_is_running() {
    local count node
    count=$(rabbit_node_count) || return 1
    [[ -e $stack/state/rabbit-ready ]] || return 1
    for ((node = 1; node <= count; node++)); do
        rabbit_pid "rabbit$node" >/dev/null && port_answers "$(recall "rabbit$node-port")" || return 1
    done
}

rabbit_url() {
    printf 'amqp://guest:guest@127.0.0.1:%s/%%2f\n' "$(recall rabbit1-port)"
}

rabbit_up() {
    rabbit_is_running && return 0
    local node count
    count=$(rabbit_node_count) || count=$nodes
    remember rabbit-nodes "$count"
    rm -f "$stack/state/rabbit-ready"
    rabbit_prepare_common
    rabbit_start_port_mapper || return 1
    for ((node = 1; node <= count; node++)); do
        rabbit_prepare_node "$node" "$count"
        rabbit_start_node "$node"
    done
    for ((node = 1; node <= count; node++)); do
        rabbit_wait_for_node "$node" || return 1
    done
    if ((count > 1)); then rabbit_form_cluster "$count" || return 1; fi
    : >"$stack/state/rabbit-ready"
}

# Files that keep /etc/rabbitmq out, and the cookie that lets the nodes and rabbitmqctl talk to each other.
rabbit_prepare_common() {
    local home=$stack/rabbitmq
    mkdir -p "$home/definitions"
    chmod 700 "$home"
    if [[ ! -f $home/.erlang.cookie ]]; then
        head -c 32 /dev/urandom | base64 | tr -dc 'A-Za-z0-9' >"$home/.erlang.cookie"
        chmod 400 "$home/.erlang.cookie"
    fi
    : >"$home/environment.conf"
    echo '[].' >"$home/plugins"
    echo '[].' >"$home/advanced.config"
    # With definitions to load a broker creates no default user. The files are loaded in the order of their names, and
    # permissions need the virtual host of the first.
    cp "$root/definitions.json" "$home/definitions/1-topology.json"
    cat >"$home/definitions/2-users.json" <<END
{ "users": [{ "name": "guest", "password": "guest", "tags": "administrator" },
            { "name": "shop-service", "password": "shop", "tags": "" },
            { "name": "news-service", "password": "news", "tags": "" }],
  "permissions": [{ "user": "guest", "vhost": "/", "configure": ".*", "write": ".*", "read": ".*" },
                  { "user": "shop-service", "vhost": "/", "configure": "^$", "write": "^push\\\\.in$", "read": "^$" },
                  { "user": "news-service", "vhost": "/", "configure": "^$", "write": "^push\\\\.in$", "read": "^$" }] }
END
}

# A port mapper that a node starts by itself would listen on every interface and outlive it.
rabbit_start_port_mapper() {
    local port
    rabbit_pid epmd >/dev/null && return 0
    port=$(free_port epmd)
    HOME=$stack/rabbitmq setsid epmd -address 127.0.0.1 -port "$port" \
        </dev/null >"$stack/rabbitmq/epmd.log" 2>&1 &
    remember epmd-pid $!
    wait_for_port "$port" "$(recall epmd-pid)" 10
}

rabbit_prepare_node() {
    local node=$1 count=$2 home=$stack/rabbitmq/node$1 port dist
    port=$(recall "rabbit$node-port" || true)
    if ! rabbit_pid "rabbit$node" >/dev/null; then
        port=$(free_port "rabbit$node")
        dist=$(free_port "rabbit$node-dist")
    fi
    mkdir -p "$home/log" "$home/data" "$home/config"
    cat >"$home/rabbitmq.conf" <<END
listeners.tcp.default = 127.0.0.1:$port
disk_free_limit.absolute = 200MB
log.file.level = warning
END
    if ((count == 1)); then
        echo "load_definitions = $stack/rabbitmq/definitions" >>"$home/rabbitmq.conf"
    else
        echo 'cluster_partition_handling = pause_minority' >>"$home/rabbitmq.conf"
    fi
    cat >"$home/environment" <<END
export HOME=$(printf %q "$stack/rabbitmq") LANG=C.UTF-8
export ERL_EPMD_PORT=$(recall epmd-port) ERL_EPMD_ADDRESS=127.0.0.1
export RABBITMQ_CONF_ENV_FILE=$(printf %q "$stack/rabbitmq/environment.conf")
export RABBITMQ_ENABLED_PLUGINS_FILE=$(printf %q "$stack/rabbitmq/plugins")
export RABBITMQ_ADVANCED_CONFIG_FILE=$(printf %q "$stack/rabbitmq/advanced.config")
export RABBITMQ_CONFIG_FILE=$(printf %q "$home/rabbitmq.conf")
export RABBITMQ_GENERATED_CONFIG_DIR=$(printf %q "$home/config")
export RABBITMQ_FEATURE_FLAGS_FILE=$(printf %q "$home/feature_flags")
export RABBITMQ_MNESIA_BASE=$(printf %q "$home/data") RABBITMQ_LOG_BASE=$(printf %q "$home/log")
export RABBITMQ_PID_FILE=$(printf %q "$home/pid")
export RABBITMQ_NODENAME=dispatcher$node@localhost RABBITMQ_NODE_IP_ADDRESS=127.0.0.1
export RABBITMQ_NODE_PORT=$port RABBITMQ_DIST_PORT=${dist:-$(recall "rabbit$node-dist-port")}
export RABBITMQ_CTL_ERL_ARGS='$rabbit_loopback'
# Schedulers that spin while idle would take processor time from the program under test.
export RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='+sbwt none +sbwtdcpu none +sbwtdio none $rabbit_loopback'
END
}

rabbit_start_node() {
    local node=$1 home=$stack/rabbitmq/node$1
    rabbit_pid "rabbit$node" >/dev/null && return 0
    rabbit_pid "rabbit$node-launcher" >/dev/null && return 0
    rm -f "$home/pid"
    (
        # shellcheck source=/dev/null
        source "$home/environment"
        cd "$home"
        exec setsid "$rabbit_programs/rabbitmq-server" </dev/null >"$home/log/output" 2>&1
    ) &
    remember "rabbit$node-launcher-pid" $!
}

# The node writes its own id while it starts and deletes the file while it stops, hence the copy.
rabbit_wait_for_node() {
    local node=$1 home=$stack/rabbitmq/node$1 launcher deadline=$((SECONDS + 90)) pid
    launcher=$(recall "rabbit$node-launcher-pid")
    until pid=$(cat "$home/pid" 2>/dev/null) && [[ -n $pid ]]; do
        ((SECONDS < deadline)) && kill -0 "$launcher" 2>/dev/null || return 1
        sleep 0.05
    done
    remember "rabbit$node-pid" "$pid"
    wait_for_port "$(recall "rabbit$node-port")" "$pid" $((deadline - SECONDS))
}

rabbit_control() {
    local node=$1
    shift
    (
        # shellcheck source=/dev/null
        source "$stack/rabbitmq/node$node/environment"
        "$rabbit_programs/rabbitmqctl" --quiet "$@"
    )
}

# The topology comes after the nodes have joined: a quorum queue gets its members when it is declared.
rabbit_form_cluster() {
    local node count=$1
    [[ -e $stack/state/rabbit-cluster ]] && return 0
    for ((node = 2; node <= count; node++)); do
        rabbit_control "$node" stop_app
        rabbit_control "$node" join_cluster dispatcher1@localhost
        rabbit_control "$node" start_app
    done >"$stack/rabbitmq/cluster.log" 2>&1 || return 1
    rabbit_control 1 import_definitions "$root/definitions.json" >>"$stack/rabbitmq/cluster.log" 2>&1 || return 1
    : >"$stack/state/rabbit-cluster"
}

rabbit_down() {
    local count node pid jobs=() job result=0
    rm -f "$stack/state/rabbit-ready"
    count=$(rabbit_node_count) || count=0
    for ((node = 1; node <= count; node++)); do
        for job in "rabbit$node" "rabbit$node-launcher"; do
            pid=$(rabbit_pid "$job") || continue
            end_process "$pid" TERM:60 KILL:5 &
            jobs+=($!)
        done
    done
    for job in "${jobs[@]}"; do wait "$job" || result=1; done
    if pid=$(rabbit_pid epmd); then end_process "$pid" TERM:5 KILL:5 || result=1; fi
    return "$result"
}

rabbit_status() {
    local count node pid result=0
    count=$(rabbit_node_count) || count=1
    for ((node = 1; node <= count; node++)); do
        if pid=$(rabbit_pid "rabbit$node") && port_answers "$(recall "rabbit$node-port")"; then
            echo "rabbitmq  up    pid $pid  amqp://guest:guest@127.0.0.1:$(recall "rabbit$node-port")/%2f"
        else
            echo "rabbitmq  down"
            result=1
        fi
    done
    return "$result"
}
