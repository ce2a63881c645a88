import { defined } from '../../../plan/defined';
import { field, isJsonObject, type Json } from '../../../plan/text/json';
import { asJsonItems, type Item, itemObject } from '../items/item';
import { flagText, hasFlag, type StageCall } from '../stage-call';
import { parseFlag, stageFailed } from '../stage-failure';
import type { StagePorts } from '../stage-ports';
import { errorMessage, fromEnvironment, httpUrl, isEnvelope, type PostAnswer, postJson } from './post-json';

/**
 * `openclaw.invoke --tool T --action A --args-json J`: calls a tool of OpenClaw's, by `POST <OPENCLAW_URL>/tools/invoke`. With `--each`
 * once for every item, which goes into the args under `--item-key`; each call is made once, even after a crash.
 *
 * A token of the environment is sent only to this machine; for another one it has to be named with `--token`.
 */
export async function openclawInvoke(call: StageCall, items: readonly Item[], ports: StagePorts): Promise<Item[]> {
  const target = targetOf(call, ports);
  const written = flagText(call, 'args-json');
  const args: Json = written ? parseFlag(call, written, `${call.calledAs} --args-json must be valid JSON`) : {};
  const invoke = async (with_: Json) => {
    const body = { tool: target.tool, action: target.action, args: with_, ...target.more };
    return results(call, await postJson(call, { url: target.url, token: target.token, body }, ports));
  };
  if (!hasFlag(call, 'each')) return await invoke(args);
  if (!isJsonObject(args)) throw stageFailed(call, `${call.calledAs} --each requires --args-json to be an object`);
  const key = flagText(call, 'itemKey', 'item-key') ?? 'item';
  const all: Item[] = [];
  for (const [index, item] of asJsonItems(items).entries()) {
    const made = itemObject([...Object.entries(args), [key, item]]) as Record<string, Json>;
    for (const result of await ports.once(`call ${index}`, () => invoke(made))) all.push(result);
  }
  return all;
}

function targetOf(call: StageCall, { environment }: StagePorts) {
  const address = flagText(call, 'url')?.trim() || fromEnvironment(environment, 'OPENCLAW_URL', 'CLAWD_URL');
  if (address === '') throw stageFailed(call, `${call.calledAs} requires --url or OPENCLAW_URL`);
  const [tool, action] = [flagText(call, 'tool'), flagText(call, 'action')];
  if (!tool || !action) throw stageFailed(call, `${call.calledAs} requires --tool and --action`);
  const url = httpUrl(call, '/tools/invoke', address);
  const given = flagText(call, 'token')?.trim();
  const token = given ?? fromEnvironment(environment, 'OPENCLAW_TOKEN', 'CLAWD_TOKEN');
  if (token !== '' && given === undefined && !isLocal(url)) {
    const why = 'refuses to send OPENCLAW_TOKEN/CLAWD_TOKEN to non-local --url; pass --token explicitly for remote endpoints';
    throw stageFailed(call, `${call.calledAs} ${why}`);
  }
  const sessionKey = flagText(call, 'sessionKey', 'session-key');
  const dryRun = call.flags.has('dry-run') || call.flags.has('dryRun');
  const more: Record<string, Json> = {
    ...defined({ sessionKey: sessionKey || undefined, dryRun: dryRun ? hasFlag(call, 'dryRun', 'dry-run') : undefined }),
  };
  return { url, token, tool, action, more };
}

function isLocal({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '::1', '[::1]'].includes(hostname.toLowerCase());
}

/** `{ok, result}` or the bare result; a list's entries are items each. */
function results(call: StageCall, { ok, status, said, json }: PostAnswer): Json[] {
  if (!ok) throw stageFailed(call, `${call.calledAs} failed (${status.split(' ')[0] ?? status}): ${said}`);
  if (json === undefined) throw stageFailed(call, `${call.calledAs} expected JSON response`);
  const envelope = isEnvelope(json);
  if (envelope && field(json, 'ok') !== true) {
    throw stageFailed(call, `${call.calledAs} tool error: ${errorMessage(json, 'Unknown error')}`);
  }
  const result = envelope ? (field(json, 'result') ?? null) : json;
  return Array.isArray(result) ? result : [result];
}
