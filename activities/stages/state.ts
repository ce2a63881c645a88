import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Json } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import { asJsonItems, type Item, stableJson } from './items/item';
import { flagText, type StageCall } from './stage-call';
import { stageFailed } from './stage-failure';
import type { StagePorts } from './stage-ports';

/**
 * What pipes remember from one run to the next: `<LOBSTER_STATE_DIR>/<key>.json`, the same place as Lobster's.
 *
 * Invariants: 1. what a stage read is kept before it writes, so that a repetition after a crash sees the same, and not its own writing; 2.
 * a file is complete or missing.
 */

/** `state.get K`: the value; null if there is none. */
export async function stateGet(call: StageCall, _: readonly Item[], ports: StagePorts): Promise<Item[]> {
  return [await read(call, stateFile(call, call.words[0], ports), ports)];
}

/** `state.set K`: keeps the item, or the list if there is not exactly one, and outputs it. */
export async function stateSet(call: StageCall, items: readonly Item[], ports: StagePorts): Promise<Item[]> {
  const path = stateFile(call, call.words[0], ports);
  const value = whole(items);
  await write(path, value, ports);
  return [value];
}

/** `diff.last --key K`: `{kind, key, changed, before, after}` compared with the key's earlier value, which the items then replace. */
export async function diffLast(call: StageCall, items: readonly Item[], ports: StagePorts): Promise<Item[]> {
  const key = flagText(call, 'key') ?? call.words[0];
  if (!key) throw stageFailed(call, 'diff.last requires --key');
  const path = stateFile(call, key, ports);
  const before = await ports.once('before', () => readOrNull(path, ports));
  const after = whole(items);
  await write(path, after, ports);
  return [{ kind: 'diff.last', key, changed: stableJson(before) !== stableJson(after), before, after }];
}

function whole(items: readonly Item[]): Json {
  const [first = null, ...rest] = asJsonItems(items);
  return items.length === 1 ? first : items.length === 0 ? [] : [first, ...rest];
}

function stateFile(call: StageCall, key: string | undefined, { environment, filesFrom = '.' }: StagePorts): string {
  if (!key) throw stageFailed(call, `${call.calledAs} requires a key`);
  const name = key
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '');
  if (name === '') throw stageFailed(call, 'state key is empty/invalid');
  const folder = environment['LOBSTER_STATE_DIR']?.trim() || join(environment['HOME'] || homedir(), '.lobster', 'state');
  return resolve(filesFrom, folder, `${name}.json`);
}

async function read(call: StageCall, path: string, ports: StagePorts): Promise<Json> {
  const text = await ports.files.read(path, ports.limitBytes);
  if (text === undefined) return null;
  const value = jsonIn(text);
  if (value === undefined) throw stageFailed(call, `${path} is not JSON; fix or remove it`, { path });
  return value;
}

/** For a comparison, a damaged file counts as missing. */
async function readOrNull(path: string, ports: StagePorts): Promise<Json> {
  const text = await ports.files.read(path, ports.limitBytes);
  return (text === undefined ? undefined : jsonIn(text)) ?? null;
}

async function write(path: string, value: Json, ports: StagePorts): Promise<void> {
  ports.signal.throwIfAborted();
  await ports.files.write(path, `${JSON.stringify(value, null, 2)}\n`);
}
