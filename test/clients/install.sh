#!/usr/bin/env bash
# Puts senders that tests start, and that can be packages neither of ours nor of the machine, into
# .tap/senders/: syslog-ng, which Debian installs only instead of rsyslog, and loggers that bring many packages.
# What is there is left as it is. `installed-senders.ts` finds them; without them their tests are left out.
set -e -o pipefail
cd "$(dirname "$0")/../.."
senders="$PWD/.tap/senders"
packages="$PWD/test/clients/packages"
mkdir -p "$senders"

debian=(syslog-ng-core syslog-ng-mod-http libivykis0 libnet1 libpcre3 libwrap0)
if [ ! -d "$senders/syslog-ng" ] && command -v apt-get >/dev/null; then
  downloads=$(mktemp -d -p "$senders")
  chmod 777 "$downloads" # apt-get downloads as a user of its own.
  cd "$downloads"
  apt-get download -qq "${debian[@]}" || { apt-get update -qq && apt-get download -qq "${debian[@]}"; }
  for package in *.deb; do dpkg -x "$package" unpacked; done
  mv unpacked "$senders/syslog-ng"
  cd "$senders"
  rm -r "$downloads"
fi

if ! cmp -s "$packages/package-lock.json" "$senders/installed.json"; then
  cp "$packages"/package*.json "$senders/"
  npm ci --prefix "$senders" --omit=optional --ignore-scripts --no-audit --no-fund --loglevel=error
  cp "$packages/package-lock.json" "$senders/installed.json"
fi
