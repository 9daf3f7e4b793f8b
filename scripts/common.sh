# shellcheck shell=bash disable=SC2034
# What the scripts here share. Sourced, not run.

# Says what happens, on standard error: standard output belongs to the program that a script runs.
say() { printf '==> %s\n' "$*" >&2; }

# Ends the script with a reason.
fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Whether a Debian package's part of the work can be done: by its tool or library, so that it does not matter how
# that came here.
has_package() {
  case $1 in
  pkg-config) command -v pkg-config >/dev/null ;;
  libyaml-dev) pkg-config --exists yaml-0.1 2>/dev/null ;;
  libssl-dev) pkg-config --exists libcrypto 2>/dev/null ;;
  libsqlite3-dev) pkg-config --exists sqlite3 2>/dev/null ;;
  libcmark-dev) pkg-config --exists libcmark 2>/dev/null ;;
  libcmark-gfm-dev) pkg-config --exists libcmark-gfm 2>/dev/null ;;
  libcmark-gfm-extensions-dev) [[ -f /usr/include/cmark-gfm-core-extensions.h ]] ;;
  libmd4c-dev) pkg-config --exists md4c 2>/dev/null ;;
  # Its own file asks for libmd4c-dev, which the package does not depend on.
  libmd4c-html0-dev) pkg-config --exists md4c-html 2>/dev/null ;;
  python3-pip) python3 -m pip --version &>/dev/null ;;
  *) command -v "$1" >/dev/null ;;
  esac
}

# Installs those of the given Debian packages that are missing. Does nothing, and needs no rights, if none is.
install_missing() {
  local package missing=()
  for package in "$@"; do
    has_package "$package" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  command -v apt-get >/dev/null || fail "install these first (Debian's names): ${missing[*]}"
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "as root, run first: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}")
  say "installing ${missing[*]}"
  # The package lists are fetched only if those that are here, perhaps none, do not know the packages or name
  # versions that are gone.
  if ! "${install[@]}" --simulate &>/dev/null || ! "${as_root[@]}" "${install[@]}" >&2; then
    say "fetching apt's package lists"
    "${as_root[@]}" apt-get update -qq >&2
    "${as_root[@]}" "${install[@]}" >&2
  fi
  for package in "${missing[@]}"; do
    has_package "$package" || fail "$package was installed and is still not found"
  done
}

# Puts the Swift toolchain on PATH.
find_swift() {
  local directory
  command -v swift >/dev/null && return
  for directory in /opt/swift/usr/bin /usr/bin /usr/local/bin "${SWIFTLY_BIN_DIR:-${HOME-}/.local/share/swiftly/bin}"; do
    if [[ -x $directory/swift ]]; then
      export PATH="$directory:$PATH"
      return
    fi
  done
  fail "no Swift toolchain on PATH or in /opt/swift; Swift 6.3 is at https://www.swift.org/install"
}

# What building needs.
readonly build_packages=(pkg-config libyaml-dev libssl-dev libsqlite3-dev)
# What the tests need beyond it: the reference implementations of CommonMark and GFM, and a third opinion.
readonly test_packages=(cmark cmark-gfm libmd4c-dev libmd4c-html0-dev)
# What measuring beside other libraries needs.
readonly bench_packages=(libmd4c-dev libmd4c-html0-dev libcmark-dev libcmark-gfm-dev libcmark-gfm-extensions-dev python3)

# How a program is built that is run or measured: with Swift's runtime in it, as in Deploy/Dockerfile, so that calls into
# the runtime need no look-up, and the program starts in half the time.
readonly release_build=(-c release --static-swift-stdlib -Xswiftc -use-ld=lld)

# Builds one of the package's programs and prints its path.
#   build_program PRODUCT [ARGUMENTS OF swift build…]    without arguments as release_build says
build_program() {
  local product=$1 build=("${release_build[@]}")
  shift
  (($#)) && build=("$@")
  say "building (the first time takes some minutes)"
  # Within a command substitution, nothing else ends at a failure.
  swift build "${build[@]}" --product "$product" >&2 || return
  printf '%s/%s\n' "$(swift build "${build[@]}" --show-bin-path)" "$product"
}

# Runs a command in a session of its own for SECONDS at most, and ends whatever is left of that session when it ends:
# a test process that crashes leaves the programs that it had started.
#   bounded SECONDS COMMAND…
# Takes the traps of the script for itself.
bounded() {
  local seconds=$1 leader status=0
  shift
  setsid timeout --kill-after=10 "$seconds" "$@" &
  leader=$!
  # The signals of a terminal do not reach another session.
  trap "end_session $leader" EXIT
  trap 'exit 130' INT TERM
  wait "$leader" || status=$?
  end_session "$leader"
  trap - EXIT INT TERM
  ((status != 124)) || say "$* did not end within $seconds s"
  return "$status"
}

# Kills the processes of a session.
end_session() {
  local file line fields
  for file in /proc/[0-9]*/stat; do
    read -r line 2>/dev/null <"$file" || continue
    # Behind the name, which may have any character in it: state, parent, group, session.
    read -ra fields <<<"${line##*) }"
    if [[ ${fields[3]-} == "$1" ]]; then kill -KILL "$(basename "$(dirname "$file")")" 2>/dev/null || true; fi
  done
}
