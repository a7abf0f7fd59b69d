#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Replaces Sling's discovery in a running container by discovery on ZooKeeper, through its web console:
#
#   swap-discovery.sh CONSOLE USER:PASSWORD SERVERS FOLDER
#   swap-discovery.sh http://localhost:8080/system/console admin:admin zk1:2181,zk2:2181 bundles
#
# The feature of a launcher brings Sling's discovery back at the next start, so start with discovery-starter.json from now on. Before
# the first such start remove both discoveries, because the launcher installs the bundles of its feature again:
#
#   swap-discovery.sh CONSOLE USER:PASSWORD
#
# FOLDER has the six bundles. Nothing is changed before all of them are found and the console has replied. The script ends
# with status 0 when the instance has settled and no other discovery service is left.
set -euo pipefail

fail() {
    echo "swap-discovery: $1" >&2
    exit 1
}

[ $# -eq 4 ] || [ $# -eq 2 ] || fail "usage: swap-discovery.sh CONSOLE USER:PASSWORD [SERVERS FOLDER]"
console=${1%/} user=$2 servers=${3:-} folder=${4:-}
command -v curl >/dev/null || fail "install curl"

# The password is not an argument of the process.
ask() {
    printf 'user = "%s"\n' "$user" | curl --config - --silent --show-error --fail --referer "$console" "$@"
}

new=()
for name in ${folder:+api commons base connectors zk webconsole}; do
    found=$(find "$folder" -maxdepth 1 \( -name "discovery-$name.jar" -o -name "discovery-$name-[0-9]*.jar" \) | head -n 1)
    [ -n "$found" ] || fail "$folder has no discovery-$name.jar"
    new+=("$found")
done

list() {
    ask "$console/bundles.json" || fail "$console does not list its bundles: check the address, the user and the password"
}

# The ids of the bundles with a symbolic name.
ids() {
    list | tr '{' '\n' | sed -n 's/.*"id":\([0-9]*\),.*"symbolicName":"'"$1"'".*/\1/p'
}

old() {
    ids 'org\.apache\.sling\.discovery\.\(api\|base\|commons\|oak\|impl\|standalone\)'
}

active() {
    list | tr '{' '\n' | grep "\"symbolicName\":\"$1\"" | grep -q '"state":"Active"'
}

before=$(old | xargs)
if [ -n "$before" ]; then
    echo "removing bundles $before"
else
    echo "removing nothing: this container has no discovery bundles of Sling"
fi
# A bundle of an earlier run would be updated, and nothing shows when that has ended.
for id in $before $(ids 'io\.github\.discoveryzk\.\(api\|commons\|base\|connectors\|zk\|webconsole\)' | xargs); do
    ask --data action=uninstall "$console/bundles/$id" >/dev/null
done

if [ -z "$folder" ]; then
    echo "both discoveries are removed: stop this container, and start it with discovery-starter.json"
    exit 0
fi

ask --data apply=true --data action=ajaxConfigManager --data propertylist=connectString \
    --data-urlencode "connectString=$servers" "$console/configMgr/io.github.discoveryzk.zk" >/dev/null

for bundle in "${new[@]}"; do
    echo "installing $(basename "$bundle")"
    ask --form action=install --form bundlestart=start \
        --form "bundlefile=@$bundle" "$console/bundles" >/dev/null
    # The console installs in the background, and the framework refuses changes at the same time.
    name=$(basename "$bundle" .jar | sed 's/^discovery-/io.github.discoveryzk./; s/-[0-9].*//')
    for ((tenth = 0; tenth < 100; tenth++)); do
        if active "$name"; then break; fi
        sleep 0.1
    done
done
# A refresh while components are being enabled leaves some of them off.
for ((second = 0; second < 60; second++)); do
    if ask "$console/topology.json" >/dev/null 2>&1; then break; fi
    sleep 1
done
# Consumers stay wired to the API that was removed until then.
ask --data action=refreshPackages "$console/bundles" >/dev/null

for ((second = 0; second < 60; second++)); do
    topology=$(ask "$console/topology.json" 2>/dev/null || true)
    case $topology in
        *'"state":"SETTLED"'*)
            left=$(old | xargs)
            [ -z "$left" ] || fail "the console still lists discovery bundles of Sling: $left"
            echo "settled: $console/topology; start with discovery-starter.json from now on"
            exit 0
            ;;
    esac
    sleep 1
done
fail "the instance has not settled within 60 s: look at $console/topology, and check that $servers can be reached"
