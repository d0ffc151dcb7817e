import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: startTestPostgres()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime_testing.startTestPostgres.md","filePath":"reference/api/functions/svc-runtime_testing.startTestPostgres.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime_testing.startTestPostgres.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-starttestpostgres" tabindex="-1">Function: startTestPostgres() <a class="header-anchor" href="#function-starttestpostgres" aria-label="Permalink to &quot;Function: startTestPostgres()&quot;">​</a></h1><blockquote><p><strong>startTestPostgres</strong>(): <code>Promise</code>&lt;<a href="./../interfaces/svc-runtime_testing.TestPostgres"><code>TestPostgres</code></a>&gt;</p></blockquote><p>The server of TEST_DATABASE_URL, or a temporary one that keeps nothing.</p><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>Promise</code>&lt;<a href="./../interfaces/svc-runtime_testing.TestPostgres"><code>TestPostgres</code></a>&gt;</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime_testing.startTestPostgres.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_startTestPostgres = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_startTestPostgres as default
};
