/** The tips of the lines of a chart, one for each tone; a line ends in `url(#<id><tone>)`. */
export const ArrowMarkers = ({
  id,
  tones = [''],
}: {
  readonly id: string;
  readonly tones?: readonly string[];
}) => (
  <defs>
    {tones.map((tone) => (
      <marker
        key={tone}
        id={`${id}${tone}`}
        class={`arrow ${tone}`}
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="7"
        markerHeight="7"
        markerUnits="userSpaceOnUse"
        orient="auto"
      >
        <path d="M0 0.8 L7.5 4 L0 7.2 z" />
      </marker>
    ))}
  </defs>
);
