// Records histories of representative runs into test/histories/, gzipped, for the replay test. Invariants: 1. the folder only grows:
// a file that is there is never written again, and a case whose file is there is not run; 2. nothing of the machine that
// recorded it is in a file. A change of what workflows do gets a new case, never a new recording.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { CASES } from './histories/cases.mjs';
import { neutral } from './histories/neutral.mjs';
import { openStage } from './histories/stage.mjs';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'test', 'histories');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'README.md'), contents());
const missing = CASES.filter(({ name }) => !existsSync(fileOf(name)));
if (missing.length === 0) console.log('every case has its history; add a case to scripts/histories/cases.mjs');

/** Cases with the same limit of events share a server. */
for (const limit of new Set(missing.map(({ eventsLimit }) => eventsLimit))) {
  const stage = await openStage(limit);
  try {
    for (const one of missing.filter(({ eventsLimit }) => eventsLimit === limit)) await record(stage, one);
  } finally {
    await stage.close();
  }
}

async function record(stage, one) {
  const { name, pipeline, repository, script, input, drive, ends, rerun, driveRerun, child, queue, withQueue } = one;
  if (queue !== undefined) return write(stage, name, 'RUNNING', await stage.queueHistories(name, one));
  if (repository !== undefined) stage.makeRepository(repository);
  let run = await stage.start(name, pipeline, script, input);
  await drive?.(run);
  const ended = await run.ended();
  if (ended !== ends) throw new Error(`${name} ended ${ended}, not ${ends}: ${await run.problem()}`);
  // For a rerun only its own history is kept: the earlier run is like any other.
  if (rerun !== undefined) {
    run = await run.rerun(rerun);
    await driveRerun?.(run);
    await run.ended();
  }
  const ofChild = child === undefined ? [] : await run.histories(child);
  const ofQueue = withQueue ? await stage.historiesOfQueue(repository.name) : [];
  write(stage, name, ended, [...(await run.histories()), ...ofChild, ...ofQueue]);
}

/** All executions of a case are in one file. */
function write(stage, name, ended, executions) {
  const packed = gzipSync(JSON.stringify(executions.map((history) => neutral(history, stage.names()))), { level: 9 });
  writeFileSync(fileOf(name), packed, { flag: 'wx' });
  const events = executions.map((history) => history.events.length).join(' + ');
  console.log(`${name}  ${ended}  ${events} events, ${Math.ceil(packed.length / 1024)} KiB`);
}

function fileOf(name) {
  return join(folder, `${name}.json.gz`);
}

function contents() {
  const rows = CASES.map(({ name, guards }) => `| \`${name}\` | ${guards} |`);
  return `# Stored histories\n\nWhat a change of the workflows would break. \`npm run histories\` records what is missing, and makes this list.\n\n| case | what it guards |\n|---|---|\n${rows.join('\n')}\n`;
}
