/** Rate and remaining time, once there is a measurement. */
export function rateText(done: number, total: number, elapsedMs: number): string {
  if (done === 0 || elapsedMs < 500) return '';
  const perSecond = (done * 1_000) / elapsedMs;
  const leftSeconds = Math.max(0, Math.ceil((total - done) / perSecond));
  return `${Math.round(perSecond).toLocaleString('en')}/s, ${remainingText(leftSeconds)} left`;
}

const remainingText = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
