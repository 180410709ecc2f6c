-- The opponent's own tables, each of the shape and with the keys and checks of Dispatcher's.
drop schema if exists opponent_http cascade;
create schema opponent_http;

create table opponent_http.api_key (
    key_hash bytea primary key,
    hub_id integer not null,
    rights smallint not null
);

insert into opponent_http.api_key values (sha256('secret-of-service'), 1, 7);

create table opponent_http.installation (like dispatcher.installation including all);
create table opponent_http.device_secret (
    like dispatcher.device_secret including all,
    foreign key (installation) references opponent_http.installation on delete cascade
);
create table opponent_http.receipt (like dispatcher.receipt including all);
create table opponent_http.reading (like dispatcher.reading including all);
create table opponent_http.progress (like dispatcher.progress including all);
create table opponent_http.outbox (like dispatcher.outbox including all);
