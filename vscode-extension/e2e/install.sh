#!/bin/sh
# Installs what the browser tests need: Debian's Chromium and VS Code's server for the browser.
# usage: install.sh DIRECTORY
set -eu
directory=$1

fail() { echo "e2e: $1" >&2; exit 1; }

# Runs apt-get as soon as nobody else has its lock, for which not all of its commands wait by themselves.
apt() {
  said=$(mktemp)
  until LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 "$@" > "$said" 2>&1; do
    grep -q "Could not get lock" "$said" || { cat "$said" >&2; fail "apt-get $1 has failed"; }
    sleep 5
  done
  rm "$said"
}

# Each release of code-server runs on one major version of Node only.
node=$(node --print 'process.versions.node.split(".")[0]')
case $node in
  20) release=4.100.3 ;;
  22) release=4.117.0 ;;
  *) fail "code-server is known to run on Node 20 and 22 only; this is Node $node" ;;
esac

missing=
command -v chromium > /dev/null || missing="$missing chromium fonts-dejavu-core"
command -v rg > /dev/null || missing="$missing ripgrep"
command -v g++ > /dev/null || missing="$missing build-essential"
command -v pkg-config > /dev/null || missing="$missing pkg-config"
for header in gssapi/gssapi.h libsecret-1/libsecret/secret.h; do
  test -e /usr/include/$header || missing="$missing libkrb5-dev libsecret-1-dev"
done
if [ -n "$missing" ]; then
  [ "$(id -u)" = 0 ] || fail "install these Debian packages first:$missing"
  apt update
  # shellcheck disable=SC2086 -- a list of words is meant
  apt install --no-install-recommends $missing
fi

if [ -e "$directory/ready-$release" ]; then
  exit 0
fi
echo "e2e: installing code-server $release (a few minutes, once)"
rm -rf "$directory"
mkdir -p "$directory"
cd "$directory"
log=$directory/install.log
trap 'test $? = 0 || { tail -n 40 "$log" >&2; echo "e2e: code-server could not be installed; see $log" >&2; }' EXIT
exec 3>&1 > "$log" 2>&1

# Native modules are built for this Node: node-gyp is started by npx, which asks unless told not to,
# and finds the headers where Node is installed.
export npm_config_yes=true npm_config_unsafe_perm=true npm_config_fund=false npm_config_audit=false
prefix=$(node --print 'require("path").dirname(require("path").dirname(process.execPath))')
if [ -e "$prefix/include/node/node.h" ]; then
  export npm_config_nodedir="$prefix"
fi

# The scripts of the packages are left out and done by hand: the one of ripgrep would download it.
echo '{"private": true}' > package.json
npm install --ignore-scripts "code-server@$release"
npm rebuild argon2
cd node_modules/code-server/lib/vscode
npm install --omit=dev --ignore-scripts
mkdir -p node_modules/@vscode/ripgrep/bin
ln -s "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
npm rebuild
rm -rf node_modules.asar
ln -s node_modules node_modules.asar
ln -sf code-linux.sh bin/remote-cli/code-server
ln -sf browser-linux.sh bin/helpers/browser.sh
cd extensions
npm install --omit=dev --ignore-scripts
cd "$directory"
node_modules/.bin/code-server --config "$directory/config.yaml" --version
touch "ready-$release"
