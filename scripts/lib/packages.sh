# shellcheck shell=bash
# Sourced by the scripts that need Debian packages: installs what is missing, and only that.

# The packages that the servers, the build and the tests stand on.
# shellcheck disable=SC2034
readonly DISPATCHER_PACKAGES=(rabbitmq-server postgresql librabbitmq-dev libpq-dev libmicrohttpd-dev libssl-dev pkg-config
    python3-pika python3-jsonschema python3-yaml)

# A temporary policy-rc.d, when this process made one.
packages_policy=""

# Tells whether dpkg has the package unpacked and configured.
package_is_installed() {
    [[ "$(dpkg-query --show --showformat='${db:Status-Abbrev}' "$1" 2>/dev/null)" == ii* ]]
}

# invoke-rc.d asks /usr/sbin/policy-rc.d before it starts a service; 101 means "not allowed". A container image often
# has such a file already; elsewhere one is put there for the time of the installation, so that installing the servers
# never starts a system-wide one.
forbid_services() {
    local policy=/usr/sbin/policy-rc.d
    [[ -e $policy ]] && return
    packages_policy=$policy
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
}

allow_services() {
    [[ -n $packages_policy ]] && rm -f "$packages_policy"
    packages_policy=""
}

# Installs the named packages that are missing. Without root it only says which command would do it, and fails.
require_packages() {
    local missing=() package
    for package in "$@"; do
        package_is_installed "$package" || missing+=("$package")
    done
    ((${#missing[@]} == 0)) && return 0
    if ((EUID != 0)); then
        printf 'missing packages; run: sudo apt-get install --no-install-recommends %s\n' "${missing[*]}" >&2
        return 1
    fi
    printf 'installing %s\n' "${missing[*]}" >&2
    (
        trap allow_services EXIT
        forbid_services
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq >&2
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
    )
}
