// The tables as they begin on both engines: a new database gets all of them at once.

const baseline = `
  create table accounts (
    workspace_id text not null, user_id text not null, token text not null,
    kept_at bigint not null, primary key (workspace_id, user_id)
  );

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
  create index docs_of_owner on docs (kind, workspace_id, owner_id, kept_at);
  create index docs_about on docs (kind, workspace_id, ref);
  create index docs_due on docs (kind, due_at);
  create index docs_kept_at on docs (kind, kept_at);

  create table audit_records (
    -- The one thing that keeps two processes from writing the same place in the chain.
    seq bigint not null, at bigint not null, workspace_id text not null,
    key text not null, key_id text not null, mac text not null, body text not null,
    email text,
    primary key (seq)
  );
  -- An event is recorded once.
  create unique index audit_records_once on audit_records (workspace_id, key);
  create index audit_records_at on audit_records (at);
  create index audit_records_email on audit_records (email);
`

/** Oldest first: the next change of a table is the next entry. Databases hold the names, which never change. */
export const migrations: Readonly<Record<string, string>> = { '0001-baseline': baseline }
