import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: at","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime_testing.at.md","filePath":"reference/api/variables/svc-runtime_testing.at.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime_testing.at.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-at" tabindex="-1">Variable: at <a class="header-anchor" href="#variable-at" aria-label="Permalink to &quot;Variable: at&quot;">​</a></h1><blockquote><p><code>const</code> <strong>at</strong>: (<code>occurredAt</code>, <code>event</code>) =&gt; <a href="./../interfaces/svc-runtime_testing.PastEvent"><code>PastEvent</code></a></p></blockquote><p>Dates an event of the past: <code>given(receptor, [loanId, at(&#39;2026-01-31T12:00:00Z&#39;, borrowed)])</code>.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>occurredAt</code></td><td><a href="./../types/svc-runtime.Timestamp"><code>Timestamp</code></a></td></tr><tr><td><code>event</code></td><td><a href="./../classes/svc-runtime.Event"><code>Event</code></a></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="./../interfaces/svc-runtime_testing.PastEvent"><code>PastEvent</code></a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime_testing.at.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_at = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_at as default
};
