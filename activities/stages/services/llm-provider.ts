import { field, type Json } from '../../../plan/text/json';
import { flagText, type StageCall } from '../stage-call';
import { stageFailed } from '../stage-failure';
import type { StagePorts } from '../stage-ports';
import { errorMessage, fromEnvironment, httpUrl, isEnvelope, postJson } from './post-json';

const LLM_PROVIDERS = ['openclaw', 'pi', 'http'] as const;
type ProviderName = (typeof LLM_PROVIDERS)[number];

/** Where a model is asked, and how the question is wrapped. */
export interface LlmProvider {
  name: ProviderName;
  /** The source that the item names. */
  source: string;
  url: URL;
  token: string;
}

type Environment = Readonly<Record<string, string>>;

/** Chosen by the flag, `LOBSTER_LLM_PROVIDER`, or the environment. Fails with `stage.failed` if there is none. */
export function llmProvider(call: StageCall, { environment }: StagePorts): LlmProvider {
  const name = providerName(call, environment);
  const token = (...names: string[]) => flagText(call, 'token')?.trim() || fromEnvironment(environment, ...names);
  const address = (needs: string, ...names: string[]) => {
    const found = fromEnvironment(environment, ...names);
    if (found === '') throw stageFailed(call, `${call.calledAs} requires ${needs} for provider=${name}`);
    return found;
  };
  switch (name) {
    case 'openclaw': {
      const base = address('OPENCLAW_URL (or CLAWD_URL)', 'OPENCLAW_URL', 'CLAWD_URL');
      const source = call.calledAs === 'llm_task.invoke' ? 'clawd' : name;
      return { name, source, url: httpUrl(call, '/tools/invoke', base), token: token('OPENCLAW_TOKEN', 'CLAWD_TOKEN') };
    }
    case 'pi': {
      const url = endpoint(httpUrl(call, address('LOBSTER_PI_LLM_ADAPTER_URL', 'LOBSTER_PI_LLM_ADAPTER_URL')));
      return { name, source: name, url, token: token('LOBSTER_PI_LLM_ADAPTER_TOKEN') };
    }
    default: {
      const url = endpoint(httpUrl(call, address('LOBSTER_LLM_ADAPTER_URL', 'LOBSTER_LLM_ADAPTER_URL')));
      return { name, source: name, url, token: token('LOBSTER_LLM_ADAPTER_TOKEN') };
    }
  }
}

function providerName(call: StageCall, environment: Environment): ProviderName {
  const asked = (flagText(call, 'provider') ?? fromEnvironment(environment, 'LOBSTER_LLM_PROVIDER')).trim().toLowerCase();
  if (asked !== '') {
    const known = LLM_PROVIDERS.find((name) => name === asked);
    if (!known) throw stageFailed(call, `Unsupported llm provider: ${asked}`, { provider: asked, known: [...LLM_PROVIDERS] });
    return known;
  }
  if (call.calledAs === 'llm_task.invoke') return 'openclaw';
  if (fromEnvironment(environment, 'LOBSTER_PI_LLM_ADAPTER_URL') !== '') return 'pi';
  if (fromEnvironment(environment, 'OPENCLAW_URL', 'CLAWD_URL') !== '') return 'openclaw';
  if (fromEnvironment(environment, 'LOBSTER_LLM_ADAPTER_URL') !== '') return 'http';
  throw stageFailed(call, `${call.calledAs} could not resolve a provider. Set --provider or LOBSTER_LLM_PROVIDER`);
}

/** An adapter's address without a path means `/invoke`. */
function endpoint(url: URL): URL {
  if (url.pathname === '' || url.pathname === '/') url.pathname = '/invoke';
  return url;
}

/** Asks once. Returns `{ok, result}` or `{ok: false, error}`, however the answer was wrapped. */
export async function askProvider(call: StageCall, provider: LlmProvider, payload: Json, ports: StagePorts): Promise<Json> {
  const body = provider.name === 'openclaw' ? { tool: 'llm-task', action: 'invoke', args: payload } : payload;
  const { ok, status, said, json } = await postJson(call, { url: provider.url, token: provider.token, body }, ports);
  const failed = (why: string) => stageFailed(call, `${call.calledAs} request failed: ${why}`);
  if (!ok) throw failed(`${status}: ${said}`);
  if (json === undefined) throw failed('Response was not JSON');
  if (!isEnvelope(json)) return { ok: true, result: json };
  if (provider.name !== 'openclaw') return json;
  if (field(json, 'ok') !== true) throw failed(`openclaw adapter error: ${errorMessage(json, 'Unknown error')}`);
  const inner = field(json, 'result') ?? null;
  return isEnvelope(inner) ? inner : { ok: true, result: inner };
}
