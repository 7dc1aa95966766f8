// Runs http-tests/cache-tests against Tests/CacheTests/Proxy, and says how it went; see README.md.
//
//     node Tests/CacheTests/run.mjs SUITE PROXY [TEST]

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const [suite, proxy, only] = process.argv.slice(2)
if (!suite || !proxy) {
  console.error('usage: node run.mjs SUITE PROXY [TEST]')
  process.exit(2)
}
const load = path => import(resolve(suite, path))
const folder = mkdtempSync(join(tmpdir(), 'cache-tests-'))
const children = []

/** A port that is free now. */
function freePort () {
  return new Promise(resolve => {
    const server = createServer().listen(0, () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Starts a program, and waits for a line that begins with `words`; what follows them. */
function start (command, args, words, options = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return new Promise((resolve, reject) => {
    child.on('exit', () => reject(new Error(`${command} ended before it listened`)))
    createInterface({ input: child.stdout }).on('line', line => {
      if (line.toLowerCase().startsWith(words)) resolve(line.slice(words.length).trim())
    })
  })
}

/** How the tests of a kind went, of those that hang on no other that failed. */
function count (set, kind, tests, results, determine) {
  const ofKind = set.tests.filter(test => !test.browser_only && (test.kind ?? 'required') === kind)
  const outcomes = ofKind.map(test => [test, determine(tests, test.id, results)[2]])
  return { all: ofKind.length, passed: outcomes.filter(([, outcome]) => '✅Y'.includes(outcome)).length, outcomes }
}

async function main () {
  const port = await freePort()
  await start(process.execPath, ['test-engine/server/server.mjs'], 'listening on', {
    cwd: suite,
    env: {
      ...process.env, npm_config_protocol: 'http', npm_config_port: port, npm_config_pidfile: join(folder, 'pid')
    }
  })
  const base = await start(resolve(proxy), [`http://localhost:${port}/`, join(folder, 'cache')], 'listening on')
  const tests = (await load('tests/index.mjs')).default
  const { runTests, getResults } = await load('test-engine/client/runner.mjs')
  const { determineTestResult } = await load('test-engine/lib/results.mjs')

  const chosen = only
    ? tests.map(set => ({ ...set, tests: set.tests.filter(test => test.id === only) })).filter(set => set.tests.length)
    : tests
  if (only) for (const set of chosen) for (const test of set.tests) test.dump = true
  await runTests(chosen, false, base.replace(/\/$/, ''))
  const results = getResults()

  const totals = {}
  for (const set of chosen) {
    const words = []
    for (const kind of ['required', 'optimal', 'check']) {
      const { all, passed, outcomes } = count(set, kind, tests, results, determineTestResult)
      const total = totals[kind] ??= { all: 0, passed: 0 }
      total.all += all
      total.passed += passed
      words.push(`${kind} ${String(passed).padStart(2)} of ${String(all).padStart(2)}`)
      if (kind === 'check') continue
      for (const [test, outcome] of outcomes.filter(([, outcome]) => outcome !== '✅')) {
        console.log(`  ${outcome} ${kind} ${test.id}: ${results[test.id]?.[1] ?? ''}`)
      }
    }
    console.log(`${set.id.padEnd(18)} ${words.join('   ')}`)
  }
  for (const [kind, { all, passed }] of Object.entries(totals)) console.log(`${kind}: ${passed} of ${all}`)
}

try {
  await main()
} finally {
  for (const child of children) {
    child.removeAllListeners('exit')
    child.kill()
  }
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
