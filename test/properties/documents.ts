import { valueAtPath } from '../../plan/expressions/evaluate';
import { minedExecution, openMining } from '../../plan/patterns/execution';
import { type ApplyRuleInput, applyRule } from '../../plan/patterns/rule';
import type { ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Composition } from '../../plan/steps/container-activities';
import type { Step } from '../../plan/steps/step';
import { pathKey, type StepInput } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import { asJson } from '../../records/stored-json';
import type { Outcome } from '../support/simulation/commands';
import { dice } from '../support/simulation/dice';
import { answerOf, matterOf } from './answers';

/** The part of the store that rules read. The real rules run, on the answers of the parts of patterns. */
export interface Documents {
  /** Stores the answer of a part under `ref`. @returns the fields that control reads */
  answer(step: Step | undefined, where: string, input: StepInput, ref: ArtifactRef): Record<string, Json> | undefined;
  decide(step: Step | undefined, where: string, input: ApplyRuleInput, ref: ArtifactRef): Outcome;
  mine(ref: ArtifactRef): void;
  /** Notes that something was composed. An output that is taken over keeps its document. */
  compose(from: Composition, ref: ArtifactRef): void;
}

export function createDocuments(seed: number): Documents {
  const documents = new Map<string, Json>();
  return {
    answer(step, where, { inputs = {} }, ref) {
      const said = answerOf(step, seed, where, (name) => documents.get(inputs[name]?.sha256 ?? ''));
      if (said === undefined) return undefined;
      documents.set(ref.sha256, said);
      return Object.fromEntries((step?.reads ?? []).map((path) => [pathKey(path), valueAtPath(said, path)]));
    },
    decide(step, where, { call, documents: given = {}, matter }, ref) {
      const found = Object.fromEntries(Object.entries(given).map(([name, { sha256 }]) => [name, documents.get(sha256) ?? null]));
      if (matter) found['matter'] = matterOf(step, dice(seed, 'matter', where));
      try {
        const { result, values } = applyRule(call, found);
        documents.set(ref.sha256, result);
        return { kind: 'value', json: JSON.stringify({ artifact: ref, values }) };
      } catch (error) {
        if (!(error instanceof ThermidorFailure)) throw error;
        return { kind: 'failure', code: error.code, message: error.message };
      }
    },
    mine(ref) {
      documents.set(ref.sha256, asJson({ ...minedExecution(openMining(() => true)), end: { state: 'completed' }, partial: [] }));
    },
    compose(from, ref) {
      const found = from.kind === 'value' ? from.value : from.kind === 'artifact' ? documents.get(from.artifact.sha256) : undefined;
      if (found !== undefined) documents.set(ref.sha256, found);
    },
  };
}
