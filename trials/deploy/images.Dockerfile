# Replacements for the images that deploy/ names, because no image registry is used: Debian with programs of node_modules. run.sh builds each
# of them by its name.

FROM debian AS node
COPY node /usr/local
RUN useradd --uid 1000 --create-home node

FROM debian AS nginx
CMD ["nginx", "-g", "daemon off;"]

FROM debian AS postgres
COPY postgres /usr/local
RUN useradd --uid 70 --home-dir /var/lib/postgresql --create-home postgres
USER postgres
ENV PGDATA=/var/lib/postgresql/18/docker PATH=/usr/local/bin:/usr/lib/postgresql/15/bin:/usr/bin:/bin
VOLUME /var/lib/postgresql
# Creates the user, the password and the database from its settings, like the official image.
CMD ["sh", "-ec", "\
  if [ ! -e $PGDATA ]; then \
    echo $POSTGRES_PASSWORD > /tmp/password; \
    initdb --username=$POSTGRES_USER --pwfile=/tmp/password --auth-host=scram-sha-256 --encoding=UTF8; \
    echo CREATE DATABASE $POSTGRES_DB | postgres --single postgres; \
    echo host all all all scram-sha-256 >> $PGDATA/pg_hba.conf; \
  fi; \
  exec postgres -c listen_addresses=*"]
