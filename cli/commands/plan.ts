import type { Json } from '../../plan/text/json';
import { parseJson } from '../../plan/text/json-text';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { checkedPipeline } from '../pipelines/checked-pipeline';
import { renderPlan } from '../rendering/plan';
import { configurationOf } from '../settings/settings';

/** Prints the frozen plan: for people, or with `--json` exactly the bytes whose digest a run carries. */
export async function execute({ args, options, terminal }: Invocation): Promise<number> {
  const { compiled } = checkedPipeline(args[0] ?? '', configurationOf({ options, terminal }), terminal);
  const blob = (sha256: string): Json | undefined => {
    const content = compiled.blobs.get(sha256)?.content;
    return content === undefined ? undefined : parseJson(content);
  };
  const { plan, planText, planSha256 } = compiled;
  const shown = options.flag('json') ? `${planText}\n` : renderPlan(plan, planSha256, terminal.colors, blob, options.flag('expanded'));
  terminal.out(shown);
  return EXIT.done;
}
