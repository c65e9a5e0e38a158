// Installations in the database, and the states of those who are about to install.
import type { Kysely, Selectable } from 'kysely'
import type { Installations, KeptInstallation } from '../../install/bots.ts'
import type { InstallStates } from '../../install/install.ts'
import { didChange, type Engine, fromNow } from '../engine.ts'
import type { InstallationsTable, Tables } from '../tables.ts'

export function installationsIn(db: Kysely<Tables>, engine: Engine): Installations {
  return {
    async find(workspaceId) {
      const row = await db
        .selectFrom('installations')
        .where('workspace_id', '=', workspaceId)
        .selectAll()
        .executeTakeFirst()
      return row && keptFrom(row)
    },

    async keep(workspaceId, { installation, token, installerId }) {
      const { teamId, teamName, enterpriseId, isOrgWide, botUserId, botId, url, scopes } = installation
      const kept = {
        team_id: teamId,
        team_name: teamName ?? null,
        enterprise_id: enterpriseId ?? null,
        is_org_wide: isOrgWide ? 1 : 0,
        bot_user_id: botUserId,
        bot_id: botId ?? null,
        url: url ?? null,
        scopes: scopes === undefined ? null : [...scopes].join(','),
        token,
        installer_id: installerId,
        installed_at: engine.now(),
      } as const
      await db
        .insertInto('installations')
        .values({ workspace_id: workspaceId, ...kept })
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(kept))
        .execute()
    },

    async reseal(workspaceId, previous, resealed) {
      await db
        .updateTable('installations')
        .set({ token: resealed })
        .where('workspace_id', '=', workspaceId)
        .where('token', '=', previous)
        .execute()
    },

    async choose(workspaceId, { audit, approval }, mention) {
      return didChange(
        db
          .updateTable('installations')
          .set({
            audit_channel: audit ?? null,
            approval_channel: approval ?? null,
            approval_mention: mention.length === 0 ? null : mention.join(','),
          })
          .where('workspace_id', '=', workspaceId),
      )
    },

    async forget(workspaceId, token) {
      return didChange(
        db.deleteFrom('installations').where('workspace_id', '=', workspaceId).where('token', '=', token),
      )
    },

    async ofOrganisation(enterpriseId) {
      const rows = await db
        .selectFrom('installations')
        .where('enterprise_id', '=', enterpriseId)
        .where('is_org_wide', '=', 0)
        .select('workspace_id')
        .execute()
      return rows.map(({ workspace_id: workspaceId }) => workspaceId)
    },

    // There is no index for it: it is asked for what is said in channels of several customers alone.
    async ofBotUsers(userIds) {
      const row = await db
        .selectFrom('installations')
        .where('bot_user_id', 'in', userIds)
        .select('workspace_id')
        .executeTakeFirst()
      return row?.workspace_id
    },

    async count() {
      const { installed } = await db
        .selectFrom('installations')
        .select(({ fn }) => fn.countAll().as('installed'))
        .executeTakeFirstOrThrow()
      return Number(installed)
    },
  }
}

function keptFrom(row: Selectable<InstallationsTable>): KeptInstallation {
  return {
    installation: {
      teamId: row.team_id,
      teamName: row.team_name ?? undefined,
      enterpriseId: row.enterprise_id ?? undefined,
      isOrgWide: row.is_org_wide === 1,
      botUserId: row.bot_user_id,
      botId: row.bot_id ?? undefined,
      url: row.url ?? undefined,
      scopes: row.scopes === null ? undefined : new Set(row.scopes.split(',').filter((one) => one !== '')),
    },
    token: row.token,
    installerId: row.installer_id,
    channels: { audit: row.audit_channel ?? undefined, approval: row.approval_channel ?? undefined },
    mention: row.approval_mention === null ? [] : row.approval_mention.split(','),
  }
}

export function installStatesIn(db: Kysely<Tables>, engine: Engine): InstallStates {
  return {
    async keep(hash) {
      await db.insertInto('install_states').values({ hash, kept_at: engine.now(), used_at: null }).execute()
    },

    async take(hash, ttlMs) {
      const isGood = await didChange(
        db
          .updateTable('install_states')
          .set({ used_at: engine.now() })
          .where('hash', '=', hash)
          .where('used_at', 'is', null)
          .where('kept_at', '>', fromNow(engine, -ttlMs)),
      )
      if (isGood) return 'good'
      const row = await db
        .selectFrom('install_states')
        .where('hash', '=', hash)
        .select('used_at')
        .executeTakeFirst()
      if (row === undefined) return 'unknown'
      return row.used_at === null ? 'expired' : 'used'
    },

    async prune(before) {
      await db.deleteFrom('install_states').where('kept_at', '<', before).execute()
    },
  }
}
