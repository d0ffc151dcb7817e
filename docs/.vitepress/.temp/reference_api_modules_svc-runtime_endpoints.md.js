import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"svc-runtime/endpoints","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/modules/svc-runtime_endpoints.md","filePath":"reference/api/modules/svc-runtime_endpoints.md"}');
const _sfc_main = { name: "reference/api/modules/svc-runtime_endpoints.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="svc-runtime-endpoints" tabindex="-1">svc-runtime/endpoints <a class="header-anchor" href="#svc-runtime-endpoints" aria-label="Permalink to &quot;svc-runtime/endpoints&quot;">​</a></h1><p>Types of a service definition.</p><h2 id="interfaces" tabindex="-1">Interfaces <a class="header-anchor" href="#interfaces" aria-label="Permalink to &quot;Interfaces&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Interface</th><th>Description</th></tr></thead><tbody><tr><td><a href="./../interfaces/svc-runtime_endpoints.SmokeTest">SmokeTest</a></td><td>One create and one read that show, after a deployment, that the service works.</td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/modules/svc-runtime_endpoints.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_endpoints = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_endpoints as default
};
