// The tables on both engines, as they begin: a new database gets all of them at once.
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const statements = `
  create table accounts (
    workspace_id text not null, user_id text not null, token text not null,
    kept_at bigint not null, asked_at bigint not null default 0,
    primary key (workspace_id, user_id)
  );
  create index accounts_asked_at on accounts (asked_at);

  create table kept (
    kind text not null, key text not null, workspace_id text not null, user_id text not null,
    value text not null, kept_at bigint not null, until bigint not null,
    primary key (kind, key, workspace_id)
  );
  create index kept_of_person on kept (workspace_id, kind, user_id);
  create index kept_until on kept (until);

  create table docs (
    kind text not null, workspace_id text not null, id text not null, owner_id text not null,
    ref text not null, claim text, due_at bigint, kept_at bigint not null, doc text not null,
    primary key (kind, workspace_id, id)
  );
  -- The one thing that keeps two processes from beginning the same.
  create unique index docs_one_claim on docs (kind, workspace_id, claim);
  create index docs_of_owner on docs (kind, workspace_id, owner_id);
  create index docs_about on docs (kind, workspace_id, ref);
  create index docs_due on docs (kind, due_at);
  create index docs_kept_at on docs (kind, kept_at);

  create table approvals (
    workspace_id text not null, id text not null, asker_id text not null, request text not null,
    barred text not null, state text not null, is_open integer not null, attempt integer not null,
    approver text, lease_until bigint, ending text,
    asked_at bigint not null, until bigint not null, card text,
    version integer not null, is_owed integer not null, claim_until bigint not null,
    is_asker_told integer not null, is_approver_told integer not null, ended_at bigint,
    -- It also keeps two presses from asking twice for one wish.
    primary key (workspace_id, id)
  );
  create index approvals_own on approvals (workspace_id, asker_id) where is_open = 1;
  create index approvals_until on approvals (until) where state = 'open';
  create index approvals_granting on approvals (lease_until) where state = 'granting';
  create index approvals_owed on approvals (claim_until) where is_owed = 1;
  create index approvals_asked_at on approvals (asked_at);

  create table audit_records (
    -- The one thing that keeps two processes from writing the same place in the chain.
    seq bigint not null, at bigint not null, workspace_id text not null,
    event_key text not null, key_id text not null, mac text not null, body text not null,
    email text,
    primary key (seq)
  );
  -- An event is recorded once.
  create unique index audit_records_once on audit_records (workspace_id, event_key);
  create index audit_records_at on audit_records (at);
  create index audit_records_email on audit_records (email);

  create table audit_look_ups (
    id text not null, at bigint not null, workspace_id text not null, user_id text not null,
    body text not null,
    primary key (id)
  );
  create index audit_look_ups_at on audit_look_ups (at, id);

  create table key_checks (
    key_id text not null, sealed text not null,
    primary key (key_id)
  );

  create table wishes (
    workspace_id text not null, id text not null, sender_id text not null,
    asker_id text not null, channel_id text, about text, state text not null,
    follows_id text, follows_as text, asked_at bigint not null, lease_until bigint,
    settled_at bigint, is_told integer not null, telling_until bigint,
    is_shared integer not null, is_told_elsewhere integer not null default 0,
    primary key (workspace_id, id)
  );
  -- The one thing that keeps two presses from asking twice for the same rest.
  create unique index wishes_following on wishes (workspace_id, follows_id, follows_as);
  create index wishes_under_way on wishes (lease_until) where state = 'sending';
  create index wishes_untold on wishes (telling_until) where state = 'settled' and is_told = 0;
  create index wishes_asked_at on wishes (asked_at);
  create index wishes_of_sender on wishes (workspace_id, sender_id, asked_at);

  create table sends (
    workspace_id text not null, wish_id text not null, n integer not null,
    sender_id text not null, kind text not null, write text not null,
    state text not null, asked_at bigint not null, lease_until bigint, settled_at bigint, outcome text,
    before text, look text,
    primary key (workspace_id, wish_id, n)
  );
  create index sends_under_way on sends (lease_until) where state = 'sending';
  create index sends_of_sender on sends (workspace_id, sender_id, settled_at);
  create index sends_asked_at on sends (asked_at);
`

const baseline: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements.split(/;\s*$/m)) {
      if (statement.trim() !== '') await sql.raw(statement).execute(db)
    }
  },
}

/** Oldest first: the next change of a table is the next entry. Databases hold the names, which never change. */
export const migrations: Readonly<Record<string, Migration>> = { '0001-baseline': baseline }
