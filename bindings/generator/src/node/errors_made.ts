
/** The error for what is known about it. */
export function made(facts: Facts): SandboxError {
  return new (classes[facts.code] ?? SandboxError)(facts);
}
