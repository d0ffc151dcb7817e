import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"svc-runtime/ops","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/modules/svc-runtime_ops.md","filePath":"reference/api/modules/svc-runtime_ops.md"}');
const _sfc_main = { name: "reference/api/modules/svc-runtime_ops.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="svc-runtime-ops" tabindex="-1">svc-runtime/ops <a class="header-anchor" href="#svc-runtime-ops" aria-label="Permalink to &quot;svc-runtime/ops&quot;">​</a></h1><p>Starts a host from code: for tests of a whole service, and for programs that embed one.</p><h2 id="interfaces" tabindex="-1">Interfaces <a class="header-anchor" href="#interfaces" aria-label="Permalink to &quot;Interfaces&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Interface</th><th>Description</th></tr></thead><tbody><tr><td><a href="./../interfaces/svc-runtime_ops.Config">Config</a></td><td>The settings of a host, as <code>readConfig</code> reads them from the environment.</td></tr><tr><td><a href="./../interfaces/svc-runtime_ops.Host">Host</a></td><td>A running host.</td></tr></tbody></table><h2 id="functions" tabindex="-1">Functions <a class="header-anchor" href="#functions" aria-label="Permalink to &quot;Functions&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Function</th><th>Description</th></tr></thead><tbody><tr><td><a href="./../functions/svc-runtime_ops.readConfig">readConfig</a></td><td>Reads the environment; reports all bad values at once.</td></tr><tr><td><a href="./../functions/svc-runtime_ops.startHost">startHost</a></td><td>Connects, starts all parts and listens; when a step fails, undoes the steps before it.</td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/modules/svc-runtime_ops.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_ops = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_ops as default
};
