import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: AppendOptions","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime_contracts.AppendOptions.md","filePath":"reference/api/interfaces/svc-runtime_contracts.AppendOptions.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime_contracts.AppendOptions.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-appendoptions" tabindex="-1">Interface: AppendOptions <a class="header-anchor" href="#interface-appendoptions" aria-label="Permalink to &quot;Interface: AppendOptions&quot;">​</a></h1><p>How events are appended to a stream.</p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="expectedposition" tabindex="-1">expectedPosition? <a class="header-anchor" href="#expectedposition" aria-label="Permalink to &quot;expectedPosition?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>expectedPosition?</strong>: <code>ExpectedPosition</code></p></blockquote><p>Unset: the position at which this unit of work has read the stream, if it has.</p><hr><h3 id="occurredat" tabindex="-1">occurredAt? <a class="header-anchor" href="#occurredat" aria-label="Permalink to &quot;occurredAt?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>occurredAt?</strong>: <a href="./../types/svc-runtime.Timestamp"><code>Timestamp</code></a></p></blockquote><p>When it happened, for imports; defaults to the time of recording.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime_contracts.AppendOptions.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_contracts_AppendOptions = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_contracts_AppendOptions as default
};
