/** How fast something goes and when it will be done, once that can be said. */
export function rateText(done: number, total: number, elapsedMs: number): string {
  if (done === 0 || elapsedMs < 500) return '';
  const perSecond = (done * 1_000) / elapsedMs;
  const leftSeconds = Math.max(0, Math.ceil((total - done) / perSecond));
  return `${Math.round(perSecond).toLocaleString('en')}/s, ${remainingText(leftSeconds)} left`;
}

const remainingText = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
