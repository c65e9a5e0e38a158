import { pinBench } from './cores.ts'
import { openStage } from './stage.ts'

const [what = 'commands', count = '3000', peer = ''] = process.argv.slice(2)
const cores = pinBench()
const stage = await openStage({ cores })
try {
  const recipe = peer ? stage.recipeOf(peer as never) : await stage.bellhop()
  const options = process.env.BOT_OPTIONS
  const actor = await stage.start(
    options ? { ...recipe, env: { ...recipe.env, NODE_OPTIONS: options } } : recipe,
  )
  const { load } = actor
  const go = () =>
    what === 'presses'
      ? load.presses(Number(count), 10)
      : what === 'help'
        ? load.helps(Number(count), 10, !peer)
        : load.commands(Number(count), 10)
  await go()
  for (let i = 0; i < 3; i += 1) {
    const r = await go()
    console.log(
      `${what} ${peer || 'bellhop'}: ${(r.count / r.seconds).toFixed(0)} /s, cpu ${r.cpuMs?.toFixed(3)} ms, bench ${r.benchMs.toFixed(3)} ms`,
    )
  }
  await stage.end(actor)
} finally {
  await stage.close()
}
