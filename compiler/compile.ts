import { PLAN_LIMIT_BYTES } from '../plan/artifact';
import type { Plan } from '../plan/plan';
import { type Diagnostic, diagnosticAt, hasErrors, inSourceOrder, type Report, sourceText, topOf } from './diagnostics/diagnostic';
import { type Blob, collectBlobs, sha256 } from './freeze/blobs';
import { canonicalJson } from './freeze/canonical';
import { lowerPipeline } from './lower/plan';
import { loadAgents } from './names/agents';
import { loadSchemas } from './names/schemas';
import { readYaml } from './read/yaml';
import { readPipeline } from './shape/pipeline';
import type { Sources } from './sources';

/**
 * Pipeline text → frozen plan, or every mistake of it. Invariants: 1. pure: the same texts give the same bytes; files
 * come through `Sources`; 2. no exception for a writer's mistake; 3. a plan is answered exactly where there is no error.
 */
export interface Compiled {
  plan: Plan;
  /** Canonical JSON of the plan. */
  planText: string;
  planSha256: string;
  /** By digest: prompts, inputs, schemas, agent definitions. */
  blobs: ReadonlyMap<string, Blob>;
  /** Warnings. */
  diagnostics: Diagnostic[];
}

export interface Refused {
  plan?: undefined;
  diagnostics: Diagnostic[];
}

export function compilePipeline(file: string, text: string, sources: Sources): Compiled | Refused {
  const source = sourceText(file, text);
  const diagnostics: Diagnostic[] = [];
  const report: Report = (code, at, message, hint) => {
    diagnostics.push(diagnosticAt(code, at, message, hint));
  };
  const refused = (): Refused => ({ diagnostics: inSourceOrder(diagnostics, file) });

  if (file.endsWith('.lobster')) {
    report('language.unsupported', topOf(source), 'Lobster workflow files are not supported yet', 'write the pipeline as .yaml');
    return refused();
  }
  const root = readYaml(source, report);
  if (!root) return refused();
  const pipeline = readPipeline(root, report);
  const blobs = collectBlobs();
  const agents = loadAgents(file, pipeline.agents, sources, report);
  const schemas = loadSchemas(file, pipeline.schemas, sources, report);
  const plan = lowerPipeline(pipeline, { sourceText: text, agents, schemas, blobs, report });
  if (hasErrors(diagnostics)) return refused();

  const planText = canonicalJson(plan);
  const sizeBytes = Buffer.byteLength(planText);
  if (sizeBytes > PLAN_LIMIT_BYTES) {
    const message = `the plan has ${sizeBytes} bytes, more than the ${PLAN_LIMIT_BYTES} that a run can carry`;
    report('plan.too-large', pipeline.name?.at ?? pipeline.at, message, 'split the pipeline, or move long texts into agents and files');
    return refused();
  }
  return { plan, planText, planSha256: sha256(planText), blobs: blobs.all, diagnostics: inSourceOrder(diagnostics, file) };
}
