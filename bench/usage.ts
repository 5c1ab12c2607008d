/** What a child process says of itself. */
export type Usage = {
  /** User and system time since its start. */
  readonly cpuMicroseconds: number
}

export function usageNow(): Usage {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  return { cpuMicroseconds: userCPUTime + systemCPUTime }
}

/** To the parent. */
export function tell(message: object): void {
  process.send?.(message)
}
