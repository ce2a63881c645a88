import { goesOverItems } from '../../kinds/questions';
import { defined } from '../../plan/defined';
import { evaluate, spelledAtPath, valueAtPath } from '../../plan/expressions/evaluate';
import { CONTROL_VALUES_LIMIT_BYTES } from '../../plan/run/artifact';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import type { ItemsOutput, ItemValuesInput, ItemValuesOutput } from '../../plan/steps/container-activities';
import { pathKey, type StepInput } from '../../plan/steps/step-activity';
import { isJsonObject, type Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { cutAfter } from '../../plan/text/shortened';
import { setSpelled } from '../../plan/text/spelled-json';
import { type ActivityCall, requireAddress } from '../activity-call';
import { loadRun, stepAt } from '../run/load-run';
import type { RunSecrets } from '../run/run-secrets';
import { inputScope } from '../run/template-scope';
import { storedList } from '../stored/stored-values';
import type { Toolbox } from '../toolbox';
import { namedLoop, namesOfItems } from './item-names';

/** More would take days; divide such work into runs. */
const ITEMS_LIMIT = 1_000_000;
/** The limit of a value in a message. */
const SHOWN_CHARACTERS = 80;

/**
 * Evaluates the list of a `for_each`, and stores it. Repeating it is harmless: the same inputs give the same list.
 *
 * Fails with `loop.not-a-list`, and with `output.too-large` over the store's limit or a million items.
 */
export async function items(toolbox: Toolbox, call: ActivityCall, input: StepInput): Promise<ItemsOutput> {
  const run = await loadRun(toolbox, call.key);
  const step = stepAt(run, requireAddress(call));
  if (!goesOverItems(step)) throw bug(`step "${step.id}" is not a loop`);
  if (!step.items) throw bug(`step "${step.id}" goes over a stream`);
  const scope = await inputScope(toolbox, run, input, 'store');
  const list = evaluate(step.items, scope);
  if (!Array.isArray(list)) {
    const message =
      run.plan.dialect === 'lobster'
        ? `Workflow step ${step.as ?? step.id} for_each: expected array, got ${typeof list}`
        : `what step "${step.id}" goes over is not a list but ${describe(list, scope.secrets)}`;
    throw new ThermidorFailure('loop.not-a-list', message, { step: step.id, type: typeName(list) });
  }
  const count = list.length;
  if (count > ITEMS_LIMIT) {
    const message = `step "${step.id}" would go over ${count} items; at most ${ITEMS_LIMIT} are allowed`;
    throw new ThermidorFailure('output.too-large', message, { step: step.id, count, limit: ITEMS_LIMIT });
  }
  const stored = await toolbox.artifacts.put(jsonText(list), { mediaType: 'application/json', name: `${step.id}.items.json` });
  const names = await namesOfItems(toolbox, list, namedLoop(step), scope, scope.secrets);
  return { list: stored, count, ...defined({ names }) };
}

function typeName(value: Json): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
}

/** Describes what came instead of a list, for the person who has to find out why. */
function describe(value: Json, { mask }: Pick<RunSecrets, 'mask'>): string {
  if (value === null) return 'null';
  if (isJsonObject(value)) {
    const keys = Object.keys(value);
    return keys.length === 0 ? 'an object without keys' : `an object with ${keys.slice(0, 5).join(', ')}${keys.length > 5 ? ', …' : ''}`;
  }
  const text = mask(JSON.stringify(value));
  return `the ${typeName(value) === 'string' ? 'text' : typeName(value)} ${cutAfter(text, SHOWN_CHARACTERS)}`;
}

/** The values of the items that control reads, from `from` up to but not including `to`. Fails with `values.too-large`, naming the path. */
export async function itemValues({ artifacts }: Toolbox, { list, from, to, paths }: ItemValuesInput): Promise<ItemValuesOutput> {
  const found = (await storedList(artifacts, list)).slice(from, to);
  const sizes = new Map<string, number>();
  const output = found.map((item) => {
    const values: Record<string, Json> = {};
    for (const path of paths) {
      const key = pathKey(path);
      const value = valueAtPath(item, path);
      setSpelled(values, key, spelledAtPath(item, path));
      sizes.set(key, (sizes.get(key) ?? 0) + key.length + Buffer.byteLength(JSON.stringify(value)));
    }
    return values;
  });
  const sizeBytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (sizeBytes <= CONTROL_VALUES_LIMIT_BYTES) return output;
  const [path, pathBytes] = [...sizes].reduce((a, b) => (b[1] > a[1] ? b : a));
  const name = path === '$' ? 'the whole item' : `"${path}"`;
  throw new ThermidorFailure(
    'values.too-large',
    `the run reads ${sizeBytes} bytes of items ${from} to ${to - 1}, most of it ${name} (${pathBytes} bytes); ` +
      `at most ${CONTROL_VALUES_LIMIT_BYTES} may control a run: read a smaller part of it`,
    { path, from, to, sizeBytes, limitBytes: CONTROL_VALUES_LIMIT_BYTES },
  );
}
