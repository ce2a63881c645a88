import { compilePipeline } from '../../compiler/compile';
import { type CompileAnswer, type CompileSize, readTask, type SizeAnswer } from './compile-messages';
import { PIPELINES, type WrittenPipeline } from './pipelines';

/**
 * Compiles, in a process of its own, so that its memory is the compiler's and no other case has warmed its code. Text is written before the
 * clock starts. Garbage is collected when Node decides: forcing it throws optimised code away too.
 */
function main(taskText: string): void {
  const { pipeline, sizes } = readTask(taskText);
  const measured = sizes.map((size) => measure(PIPELINES[pipeline](size.steps), size));
  const answer: CompileAnswer = { sizes: measured, peakBytes: process.resourceUsage().maxRSS * 1024 };
  process.stdout.write(JSON.stringify(answer));
}

function measure(written: WrittenPipeline, { steps, warmUps, samples, times }: CompileSize): SizeAnswer {
  const { ms: firstMs, ...outcome } = compileOnce(written);
  for (let i = 1; i < warmUps; i += 1) compileOnce(written);
  const warm = Array.from({ length: samples }, () => {
    let sumMs = 0;
    for (let i = 0; i < times; i += 1) sumMs += compileOnce(written).ms;
    return sumMs / times;
  });
  return { steps, firstMs, warmMs: warm.length === 0 ? firstMs : Math.min(...warm), ...outcome };
}

type Outcome = { ms: number } & Pick<SizeAnswer, 'planBytes' | 'refused'>;

function compileOnce({ file, text, sources }: WrittenPipeline): Outcome {
  const begunMs = performance.now();
  const compiled = compilePipeline(file, text, sources);
  const ms = performance.now() - begunMs;
  if (compiled.plan) return { ms, planBytes: Buffer.byteLength(compiled.planText) };
  return { ms, refused: compiled.diagnostics.map(({ code }) => code).join(', ') };
}

main(process.argv[2] ?? '');
