import { triggersIn } from '../../cli/triggers/trigger-news';
import type { AppliedHook } from '../../client/hooks/applied-hook';
import { hookOf } from '../../client/hooks/load-hooks';
import { scheduleOptions } from '../../client/schedule-options';
import { compilePipeline } from '../../compiler';
import { defined } from '../../plan/defined';
import type { WebhookTrigger } from '../../plan/web-hook';

/** What a test writes of a web hook and its pipeline. */
export interface HookKeys {
  signature?: string;
  secret?: string;
  when?: string;
  /** The args that the pipeline takes, and how a delivery fills them in. */
  args?: object;
  with?: object;
  key?: string;
  rate?: number;
  paused?: boolean;
  /** Replaces what the compiler made. */
  frozen?: Partial<WebhookTrigger>;
}

/** The web hook of a pipeline `p`, as a listener gets it once it is compiled and applied. */
export function compiledHook(path: string, { args, with: given, frozen, ...keys }: HookKeys): AppliedHook {
  const trigger = { webhook: path, signature: 'github', secret: 'secret://env/HOOK', ...keys, ...defined({ args: given }) };
  const file = { name: 'p', ...defined({ args }), trigger: [{ name: path, ...trigger }], steps: [{ id: 'a', run: 'true' }] };
  const { plan, diagnostics } = compilePipeline('p.yaml', JSON.stringify(file), { read: () => undefined, list: () => [] });
  const [wanted] = plan ? triggersIn(plan) : [];
  if (!wanted) throw new Error(JSON.stringify(diagnostics));
  const { action, state } = scheduleOptions(wanted, { installation: 'one', taskQueue: 'thermidor' });
  const stored = JSON.parse(JSON.stringify({ scheduleId: `p.${path}`, action, state })) as Parameters<typeof hookOf>[0];
  const hook = hookOf(stored);
  if (!hook) throw new Error('the web hook is not believed');
  return { ...hook, trigger: { ...hook.trigger, ...frozen } };
}
