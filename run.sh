#!/usr/bin/env bash
# Runs a mode of the analyser: ./run.sh MODE [--verbose]
# Installs and builds what is missing or changed first. The working directory stays the
# caller's, so ./config.yaml and APP_ANALYSER_CONFIG mean what they mean there.
set -euo pipefail

main() {
  local root
  root="$(dirname "$(resolve "${BASH_SOURCE[0]}")")"
  require_node
  (
    cd "$root"
    # Released by the kernel when this subshell ends, however it ends.
    lock
    install_if_changed
    build_if_changed
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
  if command -v flock >/dev/null; then
    exec 9<run.sh
    flock 9
    return
  fi
  # A symlink is made in one step and names its holder, who may have died.
  local holder
  until ln -s "$$" .run-lock 2>/dev/null; do
    holder="$(readlink .run-lock || true)"
    if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
      rm -f .run-lock
    else
      sleep 0.2
    fi
  done
  trap 'rm -f .run-lock' EXIT
}

install_if_changed() {
  local stamp=node_modules/.installed wanted
  wanted="$(cksum <package-lock.json)"
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then return; fi
  # A developer's own `npm install` counts, when it left exactly the locked versions.
  if ! node scripts/is-installed.mjs; then
    # No dependency needs its install scripts, so none may run.
    quietly 'Installing the locked versions of the dependencies (npm ci): some 190 MB the first time, about a minute…' \
      npm ci --ignore-scripts --no-fund --no-audit
  fi
  echo "$wanted" >"$stamp"
}

build_if_changed() {
  local stamp=dist/.built wanted
  wanted="$(bash scripts/source-checksum.sh)"
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then return; fi
  quietly 'Building, a quarter of a minute…' npm run --silent build
  echo "$wanted" >"$stamp"
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
