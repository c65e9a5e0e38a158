// Requests as the books of a soak read them: one row for each write, with the state it is in.

const outcome = `send->'outcome'->>'kind'`

/** Of documents, the writes that a condition on `send` keeps. */
export function sendsKept(condition: string): string {
  return `select id || ' ' || (send->>'n') as id, send->'write'->>'kind' as kind, send->'write'->>'ks' as ks,
      send->'write'->>'email' as email, doc->'sender'->>'userId' as sender_id,
      case when ${outcome} = 'not-sent' then 'never-sent' when ${outcome} is not null then 'settled'
        when send->>'hasBegun' = 'true' then 'sending' else 'asked' end as state,
      case ${outcome} when 'done' then 'granted' when 'not-done' then 'not-granted'
        when 'uncertain' then 'uncertain' end as outcome
    from (select id, doc::jsonb as doc from docs where kind = 'request') as kept,
      jsonb_array_elements(kept.doc->'sends') as send
    where ${condition}`
}
