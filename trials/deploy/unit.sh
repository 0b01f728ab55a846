#!/bin/sh
# Run by systemd in the container that run.sh starts: two instances of the unit, restarted as deploy/README.md says.
set -eu

systemctl enable --now petstore@8081 petstore@8082
for port in 8081 8082; do
  curl --silent --fail --retry 60 --retry-connrefused --retry-delay 1 "http://127.0.0.1:$port/readyz"
done
key=$(DATABASE_URL=sqlite:/var/lib/petstore/petstore.db /usr/bin/node /opt/petstore/bin/petstore.js keys create --name shop)
echo "header = \"Authorization: Bearer $key\"" > ~/.curlrc
curl --silent --fail --json '{"name":"Rex","categoryId":1,"status":"available"}' http://127.0.0.1:8081/v1/pets
curl --silent --fail http://127.0.0.1:8082/v1/pets/1

# No request behind nginx fails while the instances are restarted one after another.
nginx
(
  until [ -e /over ]; do
    curl --silent --fail --output /dev/null http://127.0.0.1:8080/v1/pets || touch /refused
    echo
  done > /asked
) &
sh -eux /restart.sh
touch /over
wait $!
echo "both restarted in turn, $(wc -l < /asked) requests meanwhile"
test ! -e /refused

# A killed instance is restarted, more often than systemd's default allows. A stopped instance has ended in order.
for count in 1 2 3 4 5 6 7; do
  systemctl kill --signal=KILL petstore@8081
  until [ "$(systemctl show --value --property=NRestarts petstore@8081)" = "$count" ] && systemctl is-active --quiet petstore@8081; do
    if systemctl is-failed --quiet petstore@8081; then exit 1; fi
    sleep 0.1
  done
done
curl --silent --fail --retry 60 --retry-connrefused --retry-delay 1 http://127.0.0.1:8081/v1/pets/1
systemctl stop petstore@8081 petstore@8082
for port in 8081 8082; do
  test "$(systemctl show --value --property=Result --property=ExecMainStatus "petstore@$port")" = "success
0"
done

systemd-analyze verify --man=no petstore@8081.service
systemd-analyze security --no-pager petstore@8081 | tail -1
