/** The beginning of an answer's body: only as many chunks as that takes. The rest is dropped. */
export async function responseStart(response: Response, enoughBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    sizeBytes += chunk.byteLength;
    if (sizeBytes >= enoughBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
