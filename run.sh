#!/usr/bin/env bash
# Runs a mode of the analyser: ./run.sh MODE [--verbose]
# Installs and builds what is missing or changed first. The working directory stays the
# caller's, so ./config.yaml and APP_ANALYSER_CONFIG mean what they mean there.
set -euo pipefail

# What each holds tells whether it is to be done again.
installed=node_modules/.installed
built=dist/.built

main() {
  local root
  root="$(dirname "$(resolve "${BASH_SOURCE[0]}")")"
  require_node
  (
    cd "$root"
    # Nobody can hold up a mode that needs nothing.
    if is_installed && is_built; then exit 0; fi
    # Released by the kernel when this subshell ends, however it ends.
    lock
    is_installed || install_packages
    is_built || build_all
  )
  exec node "$root/dist/cli/main.js" "$@"
}

# The file behind any chain of symlinks, absolute; macOS has no `readlink -f` of old.
resolve() {
  local path="$1" target
  while [ -L "$path" ]; do
    target="$(readlink "$path")"
    case "$target" in
      /*) path="$target" ;;
      *) path="$(dirname "$path")/$target" ;;
    esac
  done
  printf '%s/%s\n' "$(cd -P "$(dirname "$path")" && pwd)" "$(basename "$path")"
}

require_node() {
  if ! command -v node >/dev/null; then
    say 'Node.js 20.20 or newer is needed, and there is none on the PATH.'
    exit 2
  fi
  local version major minor
  version="$(node --version)"
  IFS=. read -r major minor _ <<<"${version#v}"
  if [ "$major" -lt 20 ] || { [ "$major" -eq 20 ] && [ "$minor" -lt 20 ]; }; then
    say "Node.js 20.20 or newer is needed; $(command -v node) is $version."
    exit 2
  fi
}

# Two invocations at once must not install or build into the same folder.
lock() {
  local try=lock_by_link started=$SECONDS told=''
  if command -v flock >/dev/null; then
    try=lock_by_kernel
    # Whoever can open a file can lock it.
    if ! (umask 077 && : >>.run-lock) 2>/dev/null; then
      say "This account may not install or build here: it cannot write $PWD/.run-lock. Run it as the owner of the folder."
      exit 1
    fi
    exec 9>>.run-lock
  fi
  until "$try"; do
    if [ $((SECONDS - started)) -ge 60 ]; then
      say "Gave up after a minute: another run.sh still installs or builds in $PWD. Try again when it has ended."
      exit 1
    elif [ -z "$told" ] && [ $((SECONDS - started)) -ge 2 ]; then
      told=yes
      say 'Waiting for another run.sh, which installs or builds here…'
    fi
    sleep 0.2
  done
}

lock_by_kernel() {
  flock --nonblock 9
}

# A symlink is made in one step and names its holder, who may have died.
lock_by_link() {
  local holder
  if ln -s "$$" .run-lock-holder 2>/dev/null; then
    trap 'rm -f .run-lock-holder' EXIT
    return
  fi
  holder="$(readlink .run-lock-holder || true)"
  if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then rm -f .run-lock-holder; fi
  return 1
}

is_installed() {
  [ -f "$installed" ] && [ "$(cat "$installed")" = "$(cksum <package-lock.json)" ]
}

install_packages() {
  # A developer's own `npm install` counts, when it left exactly the locked versions.
  if ! node scripts/is-installed.mjs; then
    # No dependency needs its install scripts, so none may run.
    quietly 'Installing the locked versions of the dependencies (npm ci): some 190 MB the first time, about a minute…' \
      npm ci --ignore-scripts --no-fund --no-audit
  fi
  cksum <package-lock.json >"$installed"
}

is_built() {
  [ -f "$built" ] && [ "$(cat "$built")" = "$(bash scripts/source-checksum.sh)" ]
}

build_all() {
  local wanted
  wanted="$(bash scripts/source-checksum.sh)"
  quietly 'Building, a few seconds…' npm run --silent build
  echo "$wanted" >"$built"
}

# Says what takes a while, and that it goes on. Output of the tools matters only when they fail.
quietly() {
  local what="$1" output ticker status=0
  shift
  say "$what"
  # Without the lock, which nobody may hold longer than this subshell.
  tick 9<&- >/dev/null &
  ticker=$!
  output="$("$@" 2>&1)" || status=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  if [ -t 2 ]; then printf '\r\033[K' >&2; fi
  if [ "$status" -ne 0 ]; then
    printf '%s\n' "$output" >&2
    say "Failed: $*"
    exit 1
  fi
}

# On a terminal one line that counts the seconds; elsewhere a line now and then.
tick() {
  local start=$SECONDS elapsed shown=0
  # A Ctrl-C does not reach what runs in the background: it ends with run.sh itself.
  while sleep 1 2>/dev/null && kill -0 $$ 2>/dev/null; do
    elapsed=$((SECONDS - start))
    if [ -t 2 ]; then
      printf '\r\033[K  %d s' "$elapsed" >&2
    elif [ $((elapsed - shown)) -ge 15 ]; then
      shown=$elapsed
      say "  $elapsed s"
    fi
  done
}

say() {
  printf '%s\n' "$1" >&2
}

main "$@"
