-- The opponents' tables: the same devices as ours, and a delivery table of the same shape (docs/architecture.md): one
-- row of the same columns, key and checks for each delivery, partitioned by ranges of the notification's number.
drop schema if exists opponent cascade;
create schema opponent;

create table opponent.device (
    id bigint primary key,
    platform smallint not null,
    token text not null,
    tags text[] not null
);

create table opponent.delivery (
    notification_id bigint not null,
    installation_id bigint not null,
    accepted_at timestamptz,
    finished_at timestamptz,
    state smallint not null,
    platform smallint not null,
    attempts smallint not null,
    ambiguous boolean not null,
    reason text,
    primary key (notification_id, installation_id),
    check (state between 1 and 7),
    check ((state = 1) = (finished_at is null)),
    check ((state = 2) = (accepted_at is not null))
) partition by range (notification_id);

create table opponent.delivery_first partition of opponent.delivery for values from (minvalue) to (1000000000);
create table opponent.delivery_rest partition of opponent.delivery for values from (1000000000) to (maxvalue);
