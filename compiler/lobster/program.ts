import { IR_VERSION, type Plan } from '../../plan/plan';
import { PLAN_LIMIT_BYTES } from '../../plan/run/artifact';
import { modelUse } from '../../plan/stages/stage';
import { canonicalText } from '../../plan/text/json-text';
import type { Compiled, RefusedPipeline } from '../compile';
import { type Diagnostic, diagnosticAt, hasErrors, inSourceOrder, sourceText, topOf } from '../diagnostics/diagnostic';
import { sha256 } from '../freeze/blobs';
import { parseStages } from './pipe/stages';

/** The name of the pipeline that a program becomes, and of its only step. */
const NAME = 'lobster-pipeline';
const STEP = 'pipeline';
/** How diagnostics name the text. */
const FILE = '(pipeline)';

/** The program of `lobster run '…'`: a pipe of stages. It takes no args and its words hold no references. */
export function compileLobsterProgram(text: string): Compiled | RefusedPipeline {
  const source = sourceText(FILE, text);
  const { stages, faults } = parseStages(text, (word) => [word]);
  const diagnostics: Diagnostic[] = faults.map(({ code, start, end, message, hint }) =>
    diagnosticAt(code, { source, start, end }, message, hint),
  );
  const plan: Plan = {
    irVersion: IR_VERSION,
    name: NAME,
    dialect: 'lobster',
    source: sha256(text),
    trigger: { kind: 'manual' },
    block: { order: 'sequence', steps: [{ id: STEP, kind: 'stages', stages, ...modelUse(stages) }] },
  };
  const planText = canonicalText(plan);
  if (Buffer.byteLength(planText) > PLAN_LIMIT_BYTES)
    diagnostics.push(diagnosticAt('plan.too-large', topOf(source), `the plan is larger than ${PLAN_LIMIT_BYTES} bytes`, 'write a file'));
  const inOrder = inSourceOrder(diagnostics, FILE);
  if (hasErrors(diagnostics)) return { diagnostics: inOrder };
  return { plan, planText, planSha256: sha256(planText), blobs: new Map(), agentPlaces: new Map(), diagnostics: inOrder };
}
