import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { ThermidorFailure } from '../../../plan/run/failure';
import { jsonText } from '../../../plan/text/json-text';
import { presenceTimes } from '../../host-presence';
import { claimLine } from '../../log-writer-claims';
import { KeyRing } from '../../sealing/key-ring';
import { type LogPart, movedCost, type StorePart } from '../../transfer/store-part';
import type { StoreTransfer } from '../../transfer/store-transfer';
import { createFile, namesIn, onDisk, readIfThere, replaceFile } from '../durable-file';
import { EndedFiles } from '../ended-files';
import { fileName } from '../file-name';
import { markFolder } from '../folder-identity';
import { ledgerPaths } from '../ledger-paths';
import { keepLongNames } from '../long-names';
import { RunFolders } from '../run-folders';
import { closeStateFolder } from '../state-folder';
import { STATE_NAMES, scratchOf, stateLayout } from '../state-layout';
import { dateOf, storeNow } from '../store-clock';
import { StoreIdentityFiles } from '../store-identity-files';
import { contentFiles, folderParts } from './folder-parts';
import { replaceStepLog, writeStepLog } from './step-log-files';

/** A state folder as it moves to another store, or is made from one. */
export function folderTransfer(root: string, keys = new KeyRing()): StoreTransfer {
  const layout = stateLayout(root);
  const create = (path: string, text: string): Promise<void> => onDisk('the store', path, () => createIn(layout.callbacks, path, text));
  return {
    shown: root,
    identity: new StoreIdentityFiles(root),
    hostsAtWork: () => onDisk('the signs of life of hosts', layout.hosts, () => hostsAtWork(layout.hosts)),
    check: (as) => onDisk('the state folder', root, () => check(root, as)),
    parts: () => folderParts(root, keys),
    add: (part) => onDisk('the store', root, () => add(root, part, keys)),
    replace: (part) => onDisk('the store', root, () => add(root, part, keys, replaceIn)),
    // Each file is durable when it is made.
    settle: async () => undefined,
    async join(installation) {
      await onDisk('the state folder', root, async () => closeStateFolder(root));
      await create(layout.installation, `${installation}\n`);
    },
    key: async () => (await onDisk('the key of callbacks', layout.serviceKey, () => readIfThere(layout.serviceKey)))?.toString('utf8'),
    takeKey: (key) => create(layout.serviceKey, key),
    close: async () => undefined,
  };
}

async function check(root: string, as: 'from' | 'to'): Promise<void> {
  const names = await namesIn(root);
  const { artifacts, ledger, installation } = stateLayout('');
  if (as === 'from' && ![artifacts, ledger, installation].some((name) => names.includes(name))) throw refused(root, 'is no state folder');
  const others = names.filter((name) => !STATE_NAMES.test(name));
  if (as === 'to' && others.length > 0) throw refused(root, `has other files, such as ${others[0]}; name a folder of its own`);
}

function refused(root: string, what: string): ThermidorFailure {
  return new ThermidorFailure('store.unavailable', `the folder ${root} ${what}`, { path: root });
}

async function hostsAtWork(folder: string): Promise<string[]> {
  const signs = (await namesIn(folder)).filter((name) => name.includes('~'));
  if (signs.length === 0) return [];
  const nowMs = await storeNow(folder);
  const living = await Promise.all(
    signs.map(async (name) => {
      const atMs = await dateOf(join(folder, name));
      return atMs !== undefined && nowMs - atMs < presenceTimes().deadAfterMs ? [name.slice(0, name.lastIndexOf('~'))] : [];
    }),
  );
  return [...new Set(living.flat())];
}

/** @param write how a file is made */
async function add(root: string, part: StorePart, keys: KeyRing, write = createIn): Promise<void> {
  const layout = stateLayout(root);
  switch (part.kind) {
    case 'content':
      await contentFiles(root, part.of, keys).files.put(part.bytes, { mediaType: '' });
      return;
    case 'record':
      await write(layout.ledger, await inLedger(root, part, 'record'), part.value);
      return;
    case 'log': {
      const path = await inLedger(root, part, 'log');
      await write(layout.ledger, path, logText(part));
      await keepDate(path, part.addedAtMs);
      return;
    }
    case 'step-log': {
      const { run, name } = part;
      await keepLongNames(layout.stepLogs, run.workflowId, run.run, name);
      const path = join(layout.stepLogs, fileName(run.workflowId), fileName(run.run), `${fileName(name)}.log`);
      await (write === replaceIn ? replaceStepLog : writeStepLog)(part, path, scratchOf(layout.stepLogs));
      await keepDate(path, part.addedAtMs);
      return;
    }
    case 'environment':
      await keepLongNames(layout.environments, part.workflowId);
      await write(layout.environments, join(layout.environments, `${fileName(part.workflowId)}.json`), part.caller);
      return;
    case 'link':
      await write(layout.callbacks, join(layout.gateLinks, `${part.key}.json`), part.link);
      return;
    case 'grants':
      await write(layout.callbacks, join(layout.grants, `${fileName(part.project)}.jsonl`), textOf(part.entries));
      return;
    case 'refused':
      await write(layout.callbacks, layout.refusedAnswers, textOf(part.answers));
      return;
    case 'end':
      await new EndedFiles(root).note(part.end, part.cost && (await movedCost(new RunFolders(root), part.end, part.cost)));
      return;
  }
}

/** The path of a record or a log. */
async function inLedger(root: string, { run, name }: Pick<LogPart, 'run' | 'name'>, as: 'record' | 'log'): Promise<string> {
  const paths = ledgerPaths(root);
  await markFolder(paths.ledger);
  await keepLongNames(paths.ledger, run.workflowId, run.run, name);
  return paths[as](run, name);
}

/** @param store whose folder for half-written files is used; it may be one of another port, which is on the same file system */
async function createIn(store: string, path: string, text: string): Promise<void> {
  await createFile({ path, scratch: scratchOf(store) }, text);
}

async function replaceIn(store: string, path: string, text: string): Promise<void> {
  await replaceFile({ path, scratch: scratchOf(store) }, text);
}

/** Lines without a signature count, and the claim keeps earlier attempts from the log. */
function logText({ lines, claimed }: LogPart): string {
  const claim = claimed === undefined ? [] : [jsonText(claimLine({ writer: 'moved', ...claimed }))];
  return textOf([...lines, ...claim]);
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Readers look at the date of a log for what was added since. */
async function keepDate(path: string, addedAtMs: number): Promise<void> {
  const date = new Date(addedAtMs);
  await utimes(path, date, date);
}
