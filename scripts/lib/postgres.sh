# shellcheck shell=bash
# Sourced by local-stack: a private PostgreSQL 15 or later, on loopback, without a Unix socket.

# PostgreSQL refuses to run as root; Debian's package brings a user for it.
as_postgres() {
    if ((EUID == 0)); then
        runuser -u postgres -- "$@"
    else
        "$@"
    fi
}

# Prints the folder of the newest installed server.
postgres_programs() {
    local newest
    newest=$(printf '%s\n' /usr/lib/postgresql/*/bin/postgres | sort --version-sort | tail -n 1)
    newest=${newest%/bin/postgres}
    if [[ ! -x $newest/bin/postgres ]] || ((${newest##*/} < 15)); then
        echo "local-stack: no PostgreSQL 15 or later in /usr/lib/postgresql" >&2
        return 1
    fi
    printf '%s/bin\n' "$newest"
}

# Prints the home of the database, made on the first call. The postgres user must be able to walk to it, which a
# checkout below a 0700 home does not allow: then it lives in a private folder below /tmp, remembered here.
postgres_home() {
    local home
    if ! home=$(recall postgres-home); then
        home=$stack/postgres
        make_postgres_home "$home"
        if ! as_postgres test -w "$home" 2>/dev/null; then
            rmdir "$home"
            home=$(mktemp --directory --tmpdir=/tmp dispatcher-postgres.XXXXXXXX)
            make_postgres_home "$home"
        fi
        remember postgres-home "$home"
    fi
    make_postgres_home "$home"
    printf '%s\n' "$home"
}

make_postgres_home() {
    mkdir -p "$1"
    chmod 700 "$1"
    if ((EUID == 0)); then chown postgres: "$1"; fi
}

postgres_pid() {
    local home pid
    home=$(recall postgres-home) || return 1
    pid=$(head -n 1 "$home/data/postmaster.pid" 2>/dev/null) || return 1
    process_is_ours "$pid" "$home/data" && printf '%s\n' "$pid"
}

postgres_is_running() {
    postgres_pid >/dev/null && port_answers "$(recall postgres-port)"
}

postgres_url() {
    printf 'postgresql://postgres@127.0.0.1:%s/dispatcher\n' "$(recall postgres-port)"
}

# Everything that decides durability (fsync, full_page_writes, synchronous_commit) keeps its default: on.
postgres_settings() {
    cat <<END
listen_addresses = '127.0.0.1'
port = $1
unix_socket_directories = ''
max_connections = 200
shared_buffers = 512MB
max_wal_size = 4GB
checkpoint_timeout = 15min
timezone = 'UTC'
log_timezone = 'UTC'
END
}

postgres_up() {
    postgres_is_running && return 0
    local programs home port
    programs=$(postgres_programs) || return 1
    home=$(postgres_home) || return 1
    port=$(free_port postgres)
    cd "$home" || return 1
    if [[ ! -f $home/data/PG_VERSION ]]; then
        as_postgres "$programs/initdb" --pgdata="$home/data" --username=postgres --auth=trust --encoding=UTF8 \
            --locale=C.UTF-8 --no-instructions >"$stack/postgres-init.log" 2>&1 || return 1
        echo "include 'stack.conf'" | as_postgres tee -a "$home/data/postgresql.conf" >/dev/null
    fi
    postgres_settings "$port" | as_postgres tee "$home/data/stack.conf" >/dev/null
    as_postgres "$programs/pg_ctl" --pgdata="$home/data" --log="$home/log" --wait --timeout=60 --silent start \
        </dev/null >"$stack/postgres-start.log" 2>&1 || return 1
    postgres_create_database "$programs" "$port"
}

postgres_create_database() {
    local server="postgresql://postgres@127.0.0.1:$2/postgres"
    if [[ -z $("$1/psql" -XAtqc "select 1 from pg_database where datname = 'dispatcher'" "$server") ]]; then
        "$1/psql" -Xqc 'create database dispatcher' "$server"
    fi
}

# INT is PostgreSQL's fast shutdown (sessions are ended, a checkpoint is written), QUIT the immediate one.
postgres_down() {
    local pid
    pid=$(postgres_pid) || return 0
    end_process "$pid" INT:60 QUIT:10 KILL:5
}

postgres_wipe() {
    local home
    home=$(recall postgres-home) || return 0
    rm -rf -- "$home"
}

postgres_status() {
    local pid
    if postgres_is_running; then
        pid=$(postgres_pid)
        echo "postgres  up    pid $pid  $(postgres_url)"
    else
        echo "postgres  down"
        return 1
    fi
}
