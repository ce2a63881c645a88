// Health of a container: exits 0 if the address that it is started with answers 200, and else says what it answered.
const ANSWERS_WITHIN_MS = 5000;

const [address] = process.argv.slice(2);
try {
  const response = await fetch(address, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
  if (!response.ok) {
    console.error(`${address} answers ${response.status}: ${(await response.text()).trim()}`);
    process.exitCode = 1;
  }
} catch (error) {
  console.error(`${address}: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
