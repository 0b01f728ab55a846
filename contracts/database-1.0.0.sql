
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
COMMENT ON SCHEMA public IS 'standard public schema';
CREATE FUNCTION public.categories_delete() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
     
     BEGIN
       
       WITH last_event AS MATERIALIZED (
         SELECT CASE
           WHEN current_setting('petstore.event_lock', true) IS DISTINCT FROM pg_current_xact_id_if_assigned()::text
           THEN pg_advisory_xact_lock_shared('event_ids'::regclass::int, (last_value & 4294967295)::oid::int)::text
             || set_config('petstore.event_lock', pg_current_xact_id_if_assigned()::text, true) END,
           (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at
         FROM event_ids
       )
       INSERT INTO events (id, type, pet_id, at, data, by)
       SELECT nextval('event_ids'), 'category.unnamed', NULL, last_event.at, doc, NULL
       FROM last_event, old_rows ORDER BY id;
       RETURN NULL;
     END $$;
CREATE FUNCTION public.categories_insert() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
     
     BEGIN
       
       WITH last_event AS MATERIALIZED (
         SELECT CASE
           WHEN current_setting('petstore.event_lock', true) IS DISTINCT FROM pg_current_xact_id_if_assigned()::text
           THEN pg_advisory_xact_lock_shared('event_ids'::regclass::int, (last_value & 4294967295)::oid::int)::text
             || set_config('petstore.event_lock', pg_current_xact_id_if_assigned()::text, true) END,
           (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at
         FROM event_ids
       )
       INSERT INTO events (id, type, pet_id, at, data, by)
       SELECT nextval('event_ids'), 'category.named', NULL, last_event.at, doc, changed_by
       FROM last_event, new_rows ORDER BY id;
       RETURN NULL;
     END $$;
CREATE FUNCTION public.categories_update() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
     
     BEGIN
       
       WITH last_event AS MATERIALIZED (
         SELECT CASE
           WHEN current_setting('petstore.event_lock', true) IS DISTINCT FROM pg_current_xact_id_if_assigned()::text
           THEN pg_advisory_xact_lock_shared('event_ids'::regclass::int, (last_value & 4294967295)::oid::int)::text
             || set_config('petstore.event_lock', pg_current_xact_id_if_assigned()::text, true) END,
           (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at
         FROM event_ids
       )
       INSERT INTO events (id, type, pet_id, at, data, by)
       SELECT nextval('event_ids'), 'category.named', NULL, last_event.at, doc, changed_by
       FROM last_event, (
         SELECT id, doc, CASE WHEN writes <> writes_before THEN changed_by END AS changed_by FROM (
           SELECT *, lag(doc) OVER versions AS doc_before, lag(writes) OVER versions AS writes_before
           FROM (SELECT id, doc, changed_by, writes, false AS is_new FROM old_rows UNION ALL SELECT id, doc, changed_by, writes, true FROM new_rows) AS both_versions
           WINDOW versions AS (PARTITION BY id ORDER BY is_new)
         ) AS updated WHERE is_new AND doc IS DISTINCT FROM doc_before
       ) AS changed ORDER BY id;
       RETURN NULL;
     END $$;
CREATE FUNCTION public.free_slot() RETURNS integer
    LANGUAGE plpgsql
    AS $$
     BEGIN
       FOR slot IN 0..63 LOOP
         IF pg_try_advisory_xact_lock('inventory'::regclass::int, slot) THEN RETURN slot; END IF;
       END LOOP;
       PERFORM pg_advisory_xact_lock('inventory'::regclass::int, pg_backend_pid() % 64);
       RETURN pg_backend_pid() % 64;
     END $$;
CREATE FUNCTION public.order_words_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
     DECLARE old_word text;
     BEGIN
       IF TG_OP <> 'INSERT' THEN
         FOREACH old_word IN ARRAY string_to_array(OLD.words, ' ') LOOP
           DELETE FROM order_words WHERE word = old_word AND order_id = OLD.id;
         END LOOP;
       END IF;
       IF TG_OP <> 'DELETE' THEN
         INSERT INTO order_words (word, order_id) SELECT value, NEW.id FROM string_to_table(NEW.words, ' ') AS each_word (value);
       END IF;
       RETURN NULL;
     END $$;
CREATE FUNCTION public.orders_delete() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
     
     BEGIN
       
       INSERT INTO order_counts AS kept
       SELECT free_slot(), counted.* FROM (SELECT coalesce(sum(n) FILTER (WHERE status = 'placed'), 0) AS placed, coalesce(sum(n) FILTER (WHERE status = 'completed'), 0) AS completed, coalesce(sum(n) FILTER (WHERE status = 'cancelled'), 0) AS cancelled, coalesce(sum(n) FILTER (WHERE status = 'returned'), 0) AS returned, coalesce(sum(n) FILTER (WHERE status = 'expired'), 0) AS expired FROM (SELECT status, -1 AS n FROM old_rows) AS orders) AS counted
       WHERE (placed, completed, cancelled, returned, expired) <> (0,0,0,0,0)
       ON CONFLICT (slot) DO UPDATE SET placed = kept.placed + excluded.placed, completed = kept.completed + excluded.completed, cancelled = kept.cancelled + excluded.cancelled, returned = kept.returned + excluded.returned, expired = kept.expired + excluded.expired;
       RETURN NULL;
     END $$;
CREATE FUNCTION public.orders_insert() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
     
     BEGIN
       
       WITH last_event AS MATERIALIZED (
         SELECT CASE
           WHEN current_setting('petstore.event_lock', true) IS DISTINCT FROM pg_current_xact_id_if_assigned()::text
           THEN pg_advisory_xact_lock_shared('event_ids'::regclass::int, (last_value & 4294967295)::oid::int)::text
             || set_config('petstore.event_lock', pg_current_xact_id_if_assigned()::text, true) END,
           (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at
         FROM event_ids
       )
       INSERT INTO events (id, type, pet_id, at, data, by)
       SELECT nextval('event_ids'), 'order.' || status, pet_id, last_event.at, doc, changed_by
       FROM last_event, new_rows ORDER BY id;
       
       INSERT INTO order_counts AS kept
       SELECT free_slot(), counted.* FROM (SELECT coalesce(sum(n) FILTER (WHERE status = 'placed'), 0) AS placed, coalesce(sum(n) FILTER (WHERE status = 'completed'), 0) AS completed, coalesce(sum(n) FILTER (WHERE status = 'cancelled'), 0) AS cancelled, coalesce(sum(n) FILTER (WHERE status = 'returned'), 0) AS returned, coalesce(sum(n) FILTER (WHERE status = 'expired'), 0) AS expired FROM (SELECT status, 1 AS n FROM new_rows) AS orders) AS counted
       WHERE (placed, completed, cancelled, returned, expired) <> (0,0,0,0,0)
       ON CONFLICT (slot) DO UPDATE SET placed = kept.placed + excluded.placed, completed = kept.completed + excluded.completed, cancelled = kept.cancelled + excluded.cancelled, returned = kept.returned + excluded.returned, expired = kept.expired + excluded.expired;
       RETURN NULL;
     END $$;
CREATE FUNCTION public.orders_update() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
     
     BEGIN
       
       WITH last_event AS MATERIALIZED (
         SELECT CASE
           WHEN current_setting('petstore.event_lock', true) IS DISTINCT FROM pg_current_xact_id_if_assigned()::text
           THEN pg_advisory_xact_lock_shared('event_ids'::regclass::int, (last_value & 4294967295)::oid::int)::text
             || set_config('petstore.event_lock', pg_current_xact_id_if_assigned()::text, true) END,
           (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at
         FROM event_ids
       )
       INSERT INTO events (id, type, pet_id, at, data, by)
       SELECT nextval('event_ids'), 'order.' || CASE WHEN status = status_before THEN 'updated' ELSE status END, pet_id, last_event.at, doc, changed_by
       FROM last_event, (
         SELECT id, doc, pet_id, pet_id_before, status, status_before, CASE WHEN writes <> writes_before THEN changed_by END AS changed_by FROM (
           SELECT *, lag(doc) OVER versions AS doc_before, lag(writes) OVER versions AS writes_before, lag(pet_id) OVER versions AS pet_id_before, lag(status) OVER versions AS status_before
           FROM (SELECT id, doc, changed_by, writes, pet_id, status, false AS is_new FROM old_rows UNION ALL SELECT id, doc, changed_by, writes, pet_id, status, true FROM new_rows) AS both_versions
           WINDOW versions AS (PARTITION BY id ORDER BY is_new)
         ) AS updated WHERE is_new AND doc IS DISTINCT FROM doc_before
       ) AS changed ORDER BY id;
       
       INSERT INTO order_counts AS kept
       SELECT free_slot(), counted.* FROM (SELECT coalesce(sum(n) FILTER (WHERE status = 'placed'), 0) AS placed, coalesce(sum(n) FILTER (WHERE status = 'completed'), 0) AS completed, coalesce(sum(n) FILTER (WHERE status = 'cancelled'), 0) AS cancelled, coalesce(sum(n) FILTER (WHERE status = 'returned'), 0) AS returned, coalesce(sum(n) FILTER (WHERE status = 'expired'), 0) AS expired FROM (SELECT status, 1 AS n FROM new_rows UNION ALL SELECT status, -1 FROM old_rows) AS orders) AS counted
       WHERE (placed, completed, cancelled, returned, expired) <> (0,0,0,0,0)
       ON CONFLICT (slot) DO UPDATE SET placed = kept.placed + excluded.placed, completed = kept.completed + excluded.completed, cancelled = kept.cancelled + excluded.cancelled, returned = kept.returned + excluded.returned, expired = kept.expired + excluded.expired;
       RETURN NULL;
     END $$;
CREATE FUNCTION public.pet_words_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
     DECLARE old_word text;
     BEGIN
       IF TG_OP <> 'INSERT' THEN
         FOREACH old_word IN ARRAY string_to_array(OLD.words, ' ') LOOP
           DELETE FROM pet_words WHERE word = old_word AND pet_id = OLD.id;
         END LOOP;
       END IF;
       IF TG_OP <> 'DELETE' THEN
         INSERT INTO pet_words (word, pet_id) SELECT value, NEW.id FROM string_to_table(NEW.words, ' ') AS each_word (value);
       END IF;
       RETURN NULL;
     END $$;
CREATE FUNCTION public.pets_delete() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
     DECLARE own_slot integer := free_slot();
     BEGIN
       
       WITH last_event AS MATERIALIZED (
         SELECT CASE
           WHEN current_setting('petstore.event_lock', true) IS DISTINCT FROM pg_current_xact_id_if_assigned()::text
           THEN pg_advisory_xact_lock_shared('event_ids'::regclass::int, (last_value & 4294967295)::oid::int)::text
             || set_config('petstore.event_lock', pg_current_xact_id_if_assigned()::text, true) END,
           (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at
         FROM event_ids
       )
       INSERT INTO events (id, type, pet_id, at, data, by)
       SELECT nextval('event_ids'), 'pet.deleted', id, last_event.at, doc, NULL
       FROM last_event, old_rows ORDER BY id;
       
       WITH counted AS MATERIALIZED (
         SELECT category_id, coalesce(sum(n) FILTER (WHERE status = 'available'), 0) AS available, coalesce(sum(n) FILTER (WHERE status = 'pending'), 0) AS pending, coalesce(sum(n) FILTER (WHERE status = 'sold'), 0) AS sold FROM (SELECT category_id, status, -1 AS n FROM old_rows) AS animals GROUP BY category_id
       ), of_categories AS (
         INSERT INTO inventory AS kept
         SELECT category_id, own_slot, available, pending, sold FROM counted
         WHERE (available, pending, sold) <> (0,0,0)
         ON CONFLICT (category_id, slot) DO UPDATE SET available = kept.available + excluded.available, pending = kept.pending + excluded.pending, sold = kept.sold + excluded.sold
       )
       INSERT INTO inventory_total AS kept
       SELECT own_slot, sum(available), sum(pending), sum(sold) FROM counted
       HAVING (sum(available), sum(pending), sum(sold)) <> (0, 0, 0)
       ON CONFLICT (slot) DO UPDATE SET available = kept.available + excluded.available, pending = kept.pending + excluded.pending, sold = kept.sold + excluded.sold;
       
       DELETE FROM inventory
       WHERE slot = own_slot AND (available, pending, sold) = (0, 0, 0)
         AND category_id = ANY (ARRAY(SELECT category_id FROM old_rows));
       RETURN NULL;
     END $$;
CREATE FUNCTION public.pets_insert() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
     DECLARE own_slot integer := free_slot();
     BEGIN
       
       WITH last_event AS MATERIALIZED (
         SELECT CASE
           WHEN current_setting('petstore.event_lock', true) IS DISTINCT FROM pg_current_xact_id_if_assigned()::text
           THEN pg_advisory_xact_lock_shared('event_ids'::regclass::int, (last_value & 4294967295)::oid::int)::text
             || set_config('petstore.event_lock', pg_current_xact_id_if_assigned()::text, true) END,
           (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at
         FROM event_ids
       )
       INSERT INTO events (id, type, pet_id, at, data, by)
       SELECT nextval('event_ids'), 'pet.created', id, last_event.at, doc, changed_by
       FROM last_event, new_rows ORDER BY id;
       
       WITH counted AS MATERIALIZED (
         SELECT category_id, coalesce(sum(n) FILTER (WHERE status = 'available'), 0) AS available, coalesce(sum(n) FILTER (WHERE status = 'pending'), 0) AS pending, coalesce(sum(n) FILTER (WHERE status = 'sold'), 0) AS sold FROM (SELECT category_id, status, 1 AS n FROM new_rows) AS animals GROUP BY category_id
       ), of_categories AS (
         INSERT INTO inventory AS kept
         SELECT category_id, own_slot, available, pending, sold FROM counted
         WHERE (available, pending, sold) <> (0,0,0)
         ON CONFLICT (category_id, slot) DO UPDATE SET available = kept.available + excluded.available, pending = kept.pending + excluded.pending, sold = kept.sold + excluded.sold
       )
       INSERT INTO inventory_total AS kept
       SELECT own_slot, sum(available), sum(pending), sum(sold) FROM counted
       HAVING (sum(available), sum(pending), sum(sold)) <> (0, 0, 0)
       ON CONFLICT (slot) DO UPDATE SET available = kept.available + excluded.available, pending = kept.pending + excluded.pending, sold = kept.sold + excluded.sold;
       
       INSERT INTO sales AS kept
       SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'), own_slot, added, sold, returned
       FROM (SELECT count(*), 0, 0 FROM new_rows) AS today (added, sold, returned) WHERE (added, sold, returned) <> (0,0,0)
       ON CONFLICT (day, slot) DO UPDATE SET added = kept.added + excluded.added, sold = kept.sold + excluded.sold, returned = kept.returned + excluded.returned;
       
       INSERT INTO pet_words (word, pet_id) SELECT value, id FROM new_rows, string_to_table(words, ' ') AS each_word (value);
       RETURN NULL;
     END $$;
CREATE FUNCTION public.pets_update() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
     DECLARE own_slot integer := free_slot();
     BEGIN
       
       WITH last_event AS MATERIALIZED (
         SELECT CASE
           WHEN current_setting('petstore.event_lock', true) IS DISTINCT FROM pg_current_xact_id_if_assigned()::text
           THEN pg_advisory_xact_lock_shared('event_ids'::regclass::int, (last_value & 4294967295)::oid::int)::text
             || set_config('petstore.event_lock', pg_current_xact_id_if_assigned()::text, true) END,
           (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at
         FROM event_ids
       )
       INSERT INTO events (id, type, pet_id, at, data, by)
       SELECT nextval('event_ids'), 'pet.updated', id, last_event.at, doc, changed_by
       FROM last_event, (
         SELECT id, doc, CASE WHEN writes <> writes_before THEN changed_by END AS changed_by FROM (
           SELECT *, lag(doc) OVER versions AS doc_before, lag(writes) OVER versions AS writes_before
           FROM (SELECT id, doc, changed_by, writes, false AS is_new FROM old_rows UNION ALL SELECT id, doc, changed_by, writes, true FROM new_rows) AS both_versions
           WINDOW versions AS (PARTITION BY id ORDER BY is_new)
         ) AS updated WHERE is_new AND doc IS DISTINCT FROM doc_before
       ) AS changed ORDER BY id;
       
       WITH counted AS MATERIALIZED (
         SELECT category_id, coalesce(sum(n) FILTER (WHERE status = 'available'), 0) AS available, coalesce(sum(n) FILTER (WHERE status = 'pending'), 0) AS pending, coalesce(sum(n) FILTER (WHERE status = 'sold'), 0) AS sold FROM (SELECT category_id, status, 1 AS n FROM new_rows
         UNION ALL SELECT category_id, status, -1 FROM old_rows) AS animals GROUP BY category_id
       ), of_categories AS (
         INSERT INTO inventory AS kept
         SELECT category_id, own_slot, available, pending, sold FROM counted
         WHERE (available, pending, sold) <> (0,0,0)
         ON CONFLICT (category_id, slot) DO UPDATE SET available = kept.available + excluded.available, pending = kept.pending + excluded.pending, sold = kept.sold + excluded.sold
       )
       INSERT INTO inventory_total AS kept
       SELECT own_slot, sum(available), sum(pending), sum(sold) FROM counted
       HAVING (sum(available), sum(pending), sum(sold)) <> (0, 0, 0)
       ON CONFLICT (slot) DO UPDATE SET available = kept.available + excluded.available, pending = kept.pending + excluded.pending, sold = kept.sold + excluded.sold;
       
       INSERT INTO sales AS kept
       SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'), own_slot, added, sold, returned
       FROM (
         SELECT 0, count(*) FILTER (WHERE n > 0), count(*) FILTER (WHERE n < 0) FROM (
           SELECT sum(n) AS n FROM (
             SELECT id, 1 AS n FROM new_rows WHERE status = 'sold'
             UNION ALL SELECT id, -1 FROM old_rows WHERE status = 'sold'
           ) AS either GROUP BY id
         ) AS moved) AS today (added, sold, returned) WHERE (added, sold, returned) <> (0,0,0)
       ON CONFLICT (day, slot) DO UPDATE SET added = kept.added + excluded.added, sold = kept.sold + excluded.sold, returned = kept.returned + excluded.returned;
       
       DELETE FROM inventory
       WHERE slot = own_slot AND (available, pending, sold) = (0, 0, 0)
         AND category_id = ANY (ARRAY(SELECT category_id FROM old_rows));
       RETURN NULL;
     END $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.api_keys (
    id bigint NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    hash text NOT NULL,
    scopes text NOT NULL,
    created_at bigint NOT NULL,
    lifetime bigint,
    expires_at bigint,
    revoked_at bigint,
    last_used_at bigint,
    rate text
);
ALTER TABLE public.api_keys ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.api_keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.categories (
    id bigint NOT NULL,
    name text NOT NULL,
    words text NOT NULL,
    changed_by text,
    writes bigint DEFAULT 0 NOT NULL,
    doc text GENERATED ALWAYS AS ((((('{"id":'::text || (id)::text) || ',"name":"'::text) || replace(replace(name, '\'::text, '\\'::text), '"'::text, '\"'::text)) || '"}'::text)) STORED NOT NULL
);
CREATE TABLE public.deliveries (
    webhook_id bigint NOT NULL,
    event_id bigint NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    at bigint NOT NULL,
    body text NOT NULL,
    status text NOT NULL,
    tries bigint NOT NULL,
    next_try_at bigint NOT NULL,
    response_status bigint,
    fault text,
    locked_until bigint DEFAULT 0 NOT NULL,
    made_due bigint DEFAULT 0 NOT NULL,
    CONSTRAINT deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');
CREATE TABLE public.events (
    id bigint NOT NULL,
    type text NOT NULL,
    pet_id bigint,
    at bigint NOT NULL,
    data text NOT NULL,
    by text
);
CREATE SEQUENCE public.event_ids
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.event_ids OWNED BY public.events.id;
CREATE TABLE public.events_purged (
    id bigint NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE public.idempotency_records (
    key_id bigint NOT NULL,
    route text NOT NULL,
    idempotency_key text NOT NULL,
    fingerprint text NOT NULL,
    row_id bigint NOT NULL,
    json text NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.imports (
    hash text NOT NULL,
    rows_done bigint NOT NULL,
    finished_at bigint
);
CREATE TABLE public.inventory (
    category_id bigint NOT NULL,
    slot integer DEFAULT 0 NOT NULL,
    available bigint NOT NULL,
    pending bigint NOT NULL,
    sold bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.inventory_total (
    slot integer NOT NULL,
    available bigint NOT NULL,
    pending bigint NOT NULL,
    sold bigint NOT NULL
)
WITH (fillfactor='10');
CREATE TABLE public.order_counts (
    slot integer NOT NULL,
    placed bigint NOT NULL,
    completed bigint NOT NULL,
    cancelled bigint NOT NULL,
    returned bigint NOT NULL,
    expired bigint NOT NULL
)
WITH (fillfactor='10');
CREATE TABLE public.orders (
    id bigint NOT NULL,
    pet_id bigint NOT NULL,
    status text NOT NULL,
    reference text COLLATE pg_catalog."C",
    held_until text COLLATE pg_catalog."C",
    words text DEFAULT ''::text NOT NULL,
    created_at text NOT NULL,
    updated_at text NOT NULL COLLATE pg_catalog."C",
    completed_at text,
    changed_by text,
    writes bigint DEFAULT 0 NOT NULL,
    doc text GENERATED ALWAYS AS (((((((((((((((('{"id":'::text || id) || ',"petId":'::text) || pet_id) || ',"status":"'::text) || status) || '"'::text) || COALESCE(((',"reference":"'::text || replace(replace(reference, '\'::text, '\\'::text), '"'::text, '\"'::text)) || '"'::text), ''::text)) || COALESCE(((',"heldUntil":"'::text || held_until) || '"'::text), ''::text)) || ',"createdAt":"'::text) || created_at) || '","updatedAt":"'::text) || updated_at) || '"'::text) || COALESCE(((',"completedAt":"'::text || completed_at) || '"'::text), ''::text)) || '}'::text)) STORED NOT NULL,
    CONSTRAINT orders_status_check CHECK ((status = ANY (ARRAY['placed'::text, 'completed'::text, 'cancelled'::text, 'returned'::text, 'expired'::text])))
);
CREATE SEQUENCE public.order_ids
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.order_ids OWNED BY public.orders.id;
CREATE TABLE public.order_words (
    word text NOT NULL COLLATE pg_catalog."C",
    order_id bigint NOT NULL
);
CREATE TABLE public.pets (
    id bigint NOT NULL,
    name text NOT NULL,
    words text NOT NULL,
    category_id bigint NOT NULL,
    status text NOT NULL,
    changed_by text,
    writes bigint DEFAULT 0 NOT NULL,
    doc text GENERATED ALWAYS AS ((((((((('{"id":'::text || (id)::text) || ',"name":"'::text) || replace(replace(name, '\'::text, '\\'::text), '"'::text, '\"'::text)) || '","categoryId":'::text) || (category_id)::text) || ',"status":"'::text) || status) || '"}'::text)) STORED NOT NULL,
    CONSTRAINT pets_status_check CHECK ((status = ANY (ARRAY['available'::text, 'pending'::text, 'sold'::text])))
);
CREATE SEQUENCE public.pet_ids
    START WITH 0
    INCREMENT BY 1
    MINVALUE 0
    MAXVALUE 9007199254740991
    CACHE 1;
ALTER SEQUENCE public.pet_ids OWNED BY public.pets.id;
CREATE TABLE public.pet_words (
    word text NOT NULL COLLATE pg_catalog."C",
    pet_id bigint NOT NULL
);
CREATE TABLE public.probe (
    id integer NOT NULL,
    at bigint NOT NULL
)
WITH (fillfactor='10');
CREATE UNLOGGED TABLE public.rate_usage (
    key_id bigint NOT NULL,
    used_until bigint NOT NULL,
    last_used bigint NOT NULL,
    ahead_max bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.sales (
    day text NOT NULL,
    slot integer DEFAULT 0 NOT NULL,
    added bigint NOT NULL,
    sold bigint NOT NULL,
    returned bigint NOT NULL
)
WITH (fillfactor='10');
CREATE TABLE public.schema_version (
    version integer NOT NULL
);
CREATE TABLE public.webhooks (
    id bigint NOT NULL,
    url text NOT NULL,
    types text NOT NULL,
    enabled bigint NOT NULL,
    reason text,
    created_at bigint NOT NULL,
    secret text NOT NULL,
    old_secret text,
    old_secret_until bigint DEFAULT 0 NOT NULL,
    "position" bigint NOT NULL,
    position_at bigint NOT NULL,
    delivered_at bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');
ALTER TABLE public.webhooks ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.webhooks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
INSERT INTO public.api_keys VALUES (1, 'test', 'pst_Z9dM', 'eec0dbc8b236a33564877392c8ef3c18bc990a719a57099c91923adf77fa8c60', 'pets:read pets:write orders:read orders:write', 1795062711675, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.api_keys VALUES (2, 'test', 'pst_aKS8', '790495f554836c3626a266d97c177e674c62c72e17b3032aba371920892904a1', 'pets:read pets:write orders:read orders:write events:read webhooks:write', 1795062711700, NULL, NULL, NULL, 1795062711728, NULL);
INSERT INTO public.categories VALUES (7, 'Cats', 'cats', 'test', 0, DEFAULT);
INSERT INTO public.events VALUES (1, 'pet.created', 1, 1795062711759, '{"id":1,"name":"Rex","categoryId":-7,"status":"available"}', 'test');
INSERT INTO public.events VALUES (2, 'pet.created', 2, 1795062711829, '{"id":2,"name":"Zoë \"the cat\" & co","categoryId":7,"status":"available"}', 'test');
INSERT INTO public.events VALUES (3, 'pet.created', 3, 1795062711850, '{"id":3,"name":"猫","categoryId":-7,"status":"available"}', 'test');
INSERT INTO public.events VALUES (4, 'pet.created', 4, 1795062711871, '{"id":4,"name":"Max","categoryId":7,"status":"available"}', 'test');
INSERT INTO public.events VALUES (5, 'pet.created', 5, 1795062711879, '{"id":5,"name":"Rex the second","categoryId":-7,"status":"available"}', 'test');
INSERT INTO public.events VALUES (6, 'pet.created', 6, 1795062711900, '{"id":6,"name":"Gone","categoryId":7,"status":"available"}', 'test');
INSERT INTO public.events VALUES (7, 'category.named', NULL, 1795062711925, '{"id":7,"name":"Cats"}', 'test');
INSERT INTO public.events VALUES (8, 'pet.updated', 4, 1795062711946, '{"id":4,"name":"Max the brave","categoryId":7,"status":"available"}', 'test');
INSERT INTO public.events VALUES (9, 'pet.deleted', 6, 1795062712003, '{"id":6,"name":"Gone","categoryId":7,"status":"available"}', 'test');
INSERT INTO public.events VALUES (10, 'pet.updated', 1, 1795062712040, '{"id":1,"name":"Rex","categoryId":-7,"status":"pending"}', 'test');
INSERT INTO public.events VALUES (11, 'order.placed', 1, 1795062712042, '{"id":1,"petId":1,"status":"placed","reference":"order for 1","createdAt":"2026-11-19T04:31:52.038Z","updatedAt":"2026-11-19T04:31:52.038Z"}', 'test');
INSERT INTO public.events VALUES (12, 'pet.updated', 2, 1795062712068, '{"id":2,"name":"Zoë \"the cat\" & co","categoryId":7,"status":"pending"}', 'test');
INSERT INTO public.events VALUES (13, 'order.placed', 2, 1795062712069, '{"id":2,"petId":2,"status":"placed","reference":"order for 2","createdAt":"2026-11-19T04:31:52.067Z","updatedAt":"2026-11-19T04:31:52.067Z"}', 'test');
INSERT INTO public.events VALUES (14, 'pet.updated', 3, 1795062712085, '{"id":3,"name":"猫","categoryId":-7,"status":"pending"}', 'test');
INSERT INTO public.events VALUES (15, 'order.placed', 3, 1795062712085, '{"id":3,"petId":3,"status":"placed","reference":"order for 3","createdAt":"2026-11-19T04:31:52.083Z","updatedAt":"2026-11-19T04:31:52.083Z"}', 'test');
INSERT INTO public.events VALUES (16, 'order.completed', 1, 1795062712112, '{"id":1,"petId":1,"status":"completed","reference":"order for 1","createdAt":"2026-11-19T04:31:52.038Z","updatedAt":"2026-11-19T04:31:52.103Z","completedAt":"2026-11-19T04:31:52.103Z"}', 'test');
INSERT INTO public.events VALUES (17, 'pet.updated', 1, 1795062712114, '{"id":1,"name":"Rex","categoryId":-7,"status":"sold"}', 'test');
INSERT INTO public.events VALUES (18, 'order.completed', 2, 1795062712176, '{"id":2,"petId":2,"status":"completed","reference":"order for 2","createdAt":"2026-11-19T04:31:52.067Z","updatedAt":"2026-11-19T04:31:52.174Z","completedAt":"2026-11-19T04:31:52.174Z"}', 'test');
INSERT INTO public.events VALUES (19, 'pet.updated', 2, 1795062712177, '{"id":2,"name":"Zoë \"the cat\" & co","categoryId":7,"status":"sold"}', 'test');
INSERT INTO public.events VALUES (20, 'order.returned', 2, 1795062712186, '{"id":2,"petId":2,"status":"returned","reference":"order for 2","createdAt":"2026-11-19T04:31:52.067Z","updatedAt":"2026-11-19T04:31:52.184Z","completedAt":"2026-11-19T04:31:52.174Z"}', 'test');
INSERT INTO public.events VALUES (21, 'pet.updated', 2, 1795062712187, '{"id":2,"name":"Zoë \"the cat\" & co","categoryId":7,"status":"available"}', 'test');
INSERT INTO public.events_purged VALUES (0, 0);
INSERT INTO public.inventory VALUES (-7, 0, 1, 1, 1);
INSERT INTO public.inventory VALUES (7, 0, 2, 0, 0);
INSERT INTO public.inventory_total VALUES (0, 3, 1, 1);
INSERT INTO public.order_counts VALUES (0, 1, 1, 0, 1, 0);
INSERT INTO public.order_words VALUES ('order', 1);
INSERT INTO public.order_words VALUES ('for', 1);
INSERT INTO public.order_words VALUES ('1', 1);
INSERT INTO public.order_words VALUES ('order', 2);
INSERT INTO public.order_words VALUES ('for', 2);
INSERT INTO public.order_words VALUES ('2', 2);
INSERT INTO public.order_words VALUES ('order', 3);
INSERT INTO public.order_words VALUES ('for', 3);
INSERT INTO public.order_words VALUES ('3', 3);
INSERT INTO public.orders VALUES (3, 3, 'placed', 'order for 3', NULL, 'order for 3', '2026-11-19T04:31:52.083Z', '2026-11-19T04:31:52.083Z', NULL, 'test', 0, DEFAULT);
INSERT INTO public.orders VALUES (1, 1, 'completed', 'order for 1', NULL, 'order for 1', '2026-11-19T04:31:52.038Z', '2026-11-19T04:31:52.103Z', '2026-11-19T04:31:52.103Z', 'test', 1, DEFAULT);
INSERT INTO public.orders VALUES (2, 2, 'returned', 'order for 2', NULL, 'order for 2', '2026-11-19T04:31:52.067Z', '2026-11-19T04:31:52.184Z', '2026-11-19T04:31:52.174Z', 'test', 2, DEFAULT);
INSERT INTO public.pet_words VALUES ('rex', 1);
INSERT INTO public.pet_words VALUES ('zoe', 2);
INSERT INTO public.pet_words VALUES ('the', 2);
INSERT INTO public.pet_words VALUES ('cat', 2);
INSERT INTO public.pet_words VALUES ('co', 2);
INSERT INTO public.pet_words VALUES ('猫', 3);
INSERT INTO public.pet_words VALUES ('rex', 5);
INSERT INTO public.pet_words VALUES ('the', 5);
INSERT INTO public.pet_words VALUES ('second', 5);
INSERT INTO public.pet_words VALUES ('max', 4);
INSERT INTO public.pet_words VALUES ('the', 4);
INSERT INTO public.pet_words VALUES ('brave', 4);
INSERT INTO public.pets VALUES (5, 'Rex the second', 'rex the second', -7, 'available', 'test', 0, DEFAULT);
INSERT INTO public.pets VALUES (4, 'Max the brave', 'max the brave', 7, 'available', 'test', 1, DEFAULT);
INSERT INTO public.pets VALUES (3, '猫', '猫', -7, 'pending', 'test', 1, DEFAULT);
INSERT INTO public.pets VALUES (1, 'Rex', 'rex', -7, 'sold', 'test', 2, DEFAULT);
INSERT INTO public.pets VALUES (2, 'Zoë "the cat" & co', 'zoe the cat co', 7, 'available', 'test', 3, DEFAULT);
INSERT INTO public.probe VALUES (1, 0);
INSERT INTO public.sales VALUES ('2026-11-19', 0, 6, 2, 1);
INSERT INTO public.schema_version VALUES (100);
INSERT INTO public.webhooks VALUES (1, 'https://shop.example/hooks', '', 0, NULL, 1795062712216, 'whsec_Dkn9APJ9FBdPP+ZHvDEdCr1228lO/cSShLum2opH8y4=', NULL, 0, 21, 1795062712187, 0);
SELECT pg_catalog.setval('public.api_keys_id_seq', 2, true);
SELECT pg_catalog.setval('public.event_ids', 21, true);
SELECT pg_catalog.setval('public.order_ids', 3, true);
SELECT pg_catalog.setval('public.pet_ids', 6, true);
SELECT pg_catalog.setval('public.webhooks_id_seq', 1, true);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (webhook_id, event_id);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.idempotency_records
    ADD CONSTRAINT idempotency_records_pkey PRIMARY KEY (key_id, route, idempotency_key);
ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.inventory
    ADD CONSTRAINT inventory_pkey PRIMARY KEY (category_id, slot);
ALTER TABLE ONLY public.inventory_total
    ADD CONSTRAINT inventory_total_pkey PRIMARY KEY (slot);
ALTER TABLE ONLY public.order_counts
    ADD CONSTRAINT order_counts_pkey PRIMARY KEY (slot);
ALTER TABLE ONLY public.order_words
    ADD CONSTRAINT order_words_pkey PRIMARY KEY (word, order_id);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.pet_words
    ADD CONSTRAINT pet_words_pkey PRIMARY KEY (word, pet_id);
ALTER TABLE ONLY public.pets
    ADD CONSTRAINT pets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.probe
    ADD CONSTRAINT probe_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rate_usage
    ADD CONSTRAINT rate_usage_pkey PRIMARY KEY (key_id);
ALTER TABLE ONLY public.sales
    ADD CONSTRAINT sales_pkey PRIMARY KEY (day, slot);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);
CREATE INDEX categories_by_words ON public.categories USING hash (words);
CREATE INDEX deliveries_by_time ON public.deliveries USING btree (at);
CREATE INDEX deliveries_open ON public.deliveries USING btree (webhook_id, status, event_id) WHERE (status <> 'delivered'::text);
CREATE INDEX idempotency_records_by_age ON public.idempotency_records USING btree (created_at);
CREATE INDEX orders_by_all_filters ON public.orders USING btree (pet_id, reference, status, id) WHERE (reference IS NOT NULL);
CREATE INDEX orders_by_pet ON public.orders USING btree (pet_id, id);
CREATE INDEX orders_by_pet_and_reference ON public.orders USING btree (pet_id, reference, id) WHERE (reference IS NOT NULL);
CREATE INDEX orders_by_pet_and_status ON public.orders USING btree (pet_id, status, id);
CREATE INDEX orders_by_reference ON public.orders USING btree (reference, id) WHERE (reference IS NOT NULL);
CREATE INDEX orders_by_reference_and_status ON public.orders USING btree (reference, status, id) WHERE (reference IS NOT NULL);
CREATE INDEX orders_by_status ON public.orders USING btree (status, id);
CREATE INDEX orders_held ON public.orders USING btree (held_until) WHERE ((status = 'placed'::text) AND (held_until IS NOT NULL));
CREATE UNIQUE INDEX orders_one_sale ON public.orders USING btree (pet_id) WHERE (status = ANY (ARRAY['placed'::text, 'completed'::text]));
CREATE INDEX pets_by_category ON public.pets USING btree (category_id, id);
CREATE INDEX pets_by_category_and_status ON public.pets USING btree (category_id, status, id);
CREATE INDEX pets_by_status ON public.pets USING btree (status, id);
CREATE TRIGGER categories_delete AFTER DELETE ON public.categories REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.categories_delete();
CREATE TRIGGER categories_insert AFTER INSERT ON public.categories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.categories_insert();
CREATE TRIGGER categories_update AFTER UPDATE ON public.categories REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.categories_update();
CREATE TRIGGER order_words_add AFTER INSERT ON public.orders FOR EACH ROW WHEN ((new.words <> ''::text)) EXECUTE FUNCTION public.order_words_change();
CREATE TRIGGER order_words_remove AFTER DELETE ON public.orders FOR EACH ROW EXECUTE FUNCTION public.order_words_change();
CREATE TRIGGER order_words_rename AFTER UPDATE OF words ON public.orders FOR EACH ROW WHEN ((new.words <> old.words)) EXECUTE FUNCTION public.order_words_change();
CREATE TRIGGER orders_delete AFTER DELETE ON public.orders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.orders_delete();
CREATE TRIGGER orders_insert AFTER INSERT ON public.orders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.orders_insert();
CREATE TRIGGER orders_update AFTER UPDATE ON public.orders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.orders_update();
CREATE TRIGGER pet_words_remove AFTER DELETE ON public.pets FOR EACH ROW EXECUTE FUNCTION public.pet_words_change();
CREATE TRIGGER pet_words_rename AFTER UPDATE OF words ON public.pets FOR EACH ROW WHEN ((new.words <> old.words)) EXECUTE FUNCTION public.pet_words_change();
CREATE TRIGGER pets_delete AFTER DELETE ON public.pets REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.pets_delete();
CREATE TRIGGER pets_insert AFTER INSERT ON public.pets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.pets_insert();
CREATE TRIGGER pets_update AFTER UPDATE ON public.pets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.pets_update();
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pet_id_fkey FOREIGN KEY (pet_id) REFERENCES public.pets(id);
